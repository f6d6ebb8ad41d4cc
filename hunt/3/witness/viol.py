import subprocess,hashlib,json,re,sys
exec(open('v.py').read().split("L='loop_invariant'")[0])
def src(name,text): open(name,'w').write(text); return name
q=src('u.c','''extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a == 3 && b > 4) {
    reach_error();
  }
  if (a == 77 && b == 78 && a > b) {
    reach_error();
  }
  return 0;
}
''')
def vw(prog,wps,ver="2.0",spec="CHECK( init(main()), LTL(G ! call(reach_error())) )"):
    s=wit(prog,[],ver,spec).replace('invariant_set','violation_sequence')
    for seg in wps:
        s+="  - segment:\n"
        for w in seg:
            s+=f"    - waypoint:\n        type: {w['type']}\n        action: {w.get('action','follow')}\n        location:\n          file_name: {prog}\n          line: {w['line']}\n"
            if 'col' in w: s+=f"          column: {w['col']}\n"
            s+="          function: main\n"
            if 'c' in w: s+=f"        constraint:\n          value: {json.dumps(w['c'])}\n          format: c_expression\n"
            if 'tid' in w: s+=f"        thread_id: {w['tid']}\n"
    return s
T=lambda line,col=5:dict(type='target',line=line,col=col)
R=lambda line,c,col=33:dict(type='function_return',line=line,col=col,c=c)
As=lambda line,col,c,action='follow':dict(type='assumption',line=line,col=col,c=c,action=action)
B=lambda line,col,c:dict(type='branching',line=line,col=col,c=c)
run(q,vw(q,[[R(5,'\\result == 3')],[T(8)]]),'c','good')
run(q,vw(q,[[T(8)]]),'c','target only')
run(q,vw(q,[[T(11)]]),'n','dead target')
run(q,vw(q,[[R(5,'\\result == 4')],[T(8)]]),'n','wrong result')
run(q,vw(q,[[R(6,'\\result == 4',33)],[T(8)]]),'n','wrong result b')
run(q,vw(q,[[R(6,'\\result == 9')],[R(5,'\\result == 3')],[T(8)]]),'n','order swapped')
run(q,vw(q,[[As(7,3,'a==4')],[T(8)]]),'n','assume a==4')
run(q,vw(q,[[As(7,3,'a/0==4')],[T(8)]]),'n','assume undefined')
run(q,vw(q,[[As(7,3,'zz==4')],[T(8)]]),'n','assume unknown var')
run(q,vw(q,[[As(6,3,'b==4')],[T(8)]]),'n','assume uninit b before decl')
run(q,vw(q,[[B(7,3,'false')],[T(8)]]),'n','branch false')
run(q,vw(q,[[B(10,3,'true')],[T(8)]]),'n','branch after')
run(q,vw(q,[[As(7,3,'a==3','avoid'),T(8)]]),'n','avoid a==3')
run(q,vw(q,[[T(9)]]),'n','target at no statement')
run(q,vw(q,[[T(8)],[T(8)]]),'n','two targets')
run(q,vw(q,[[R(5,'\\result == 3')]]),'n','no target')
run(q,vw(q,[[T(8)]],spec="CHECK( init(main()), LTL(G ! overflow) )"),'n','spec overflow')
run(q,vw(q,[[T(8)]],spec="CHECK( init(main()), LTL(G ! data-race) )"),'n','spec race')
# safe program with violation
q=src('s.c',open('u.c').read().replace('b > 4)','b > 4 && a > 9)'))
run(q,vw(q,[[T(8)]]),'n','safe program')
q=src('ov.c','''extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int c = 2;
  c = c + 1;
  a = a + 1;
  return 0;
}
''')
ov="CHECK( init(main()), LTL(G ! overflow) )"
run(q,vw(q,[[dict(type='target',line=6,col=3)]],spec=ov),'c','ov good')
run(q,vw(q,[[dict(type='target',line=5,col=3)]],spec=ov),'n','ov wrong target')
# graphml violation
subprocess.run(['/tmp/bin/mazurka','check','--witness','u.graphml','--timeout','8','u.c'],capture_output=True)
g=open('u.graphml').read()
def rg(text,exp,label,prog='u.c'):
    open('x.graphml','w').write(text)
    p=subprocess.run(['/tmp/bin/mazurka','validate','--timeout','8','--witness','x.graphml',prog],capture_output=True,text=True)
    conf=p.stdout.startswith('CONFIRMED'); print(('*** WRONG ' if conf and exp!='c' else 'ok        '),label,(p.stdout+p.stderr).split('\n')[0][:150],flush=True)
rg(g,'c','graphml good')
print(g[-2500:])
for a,b in re.findall(r'(<data key="(?:assumption|startline|threadId|control|enterFunction)">)([^<]*)',g)[:8]:
    nb={'assumption':b.replace('3','4'),'startline':'10'}.get(a.split('"')[1],'9')
    if nb!=b: rg(g.replace(a+b,a+nb,1),'n',f'graphml {a}{b}->{nb}')
h=hashlib.sha256(open('s.c','rb').read()).hexdigest(); h0=hashlib.sha256(open('u.c','rb').read()).hexdigest()
rg(g.replace(h0,h).replace('u.c','s.c'),'n','graphml on safe','s.c')
rg(re.sub(r'<data key="violation">true</data>','',g),'n','no violation node')
