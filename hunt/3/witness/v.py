import subprocess,hashlib,sys,json
def wit(prog,invs,ver="2.0",spec="CHECK( init(main()), LTL(G ! call(reach_error())) )",dm="LP64",ghosts=None):
    h=hashlib.sha256(open(prog,'rb').read()).hexdigest()
    meta=f'''  metadata:
    format_version: "{ver}"
    uuid: 52a47dce-ee66-84c0-8c8f-289927fe7f26
    creation_time: "2026-11-17T20:06:58Z"
    producer:
      name: X
      version: "0.1.0"
    task:
      input_files:
      - {prog}
      input_file_hashes:
        {prog}: {h}
      specification: {spec}
      data_model: {dm}
      language: C
'''
    s="- entry_type: invariant_set\n"+meta+"  content:\n"
    for kind,line,col,val in invs:
        s+=f'''  - invariant:
      type: {kind}
      location:
        file_name: {prog}
        line: {line}
'''+(f"        column: {col}\n" if col else "")+f'''        function: main
      value: {json.dumps(val)}
      format: c_expression
'''
    if ghosts: s+="- entry_type: ghost_instrumentation\n"+meta+"  content:\n"+ghosts
    return s
def run(prog,text,exp,label,args=[]):
    open('x.yml','w').write(text)
    p=subprocess.run(['/tmp/bin/mazurka','validate','--timeout','8','--witness','x.yml']+args+[prog],capture_output=True,text=True)
    out=(p.stdout+p.stderr).strip().split('\n')[0][:170]
    conf=p.stdout.startswith('CONFIRMED')
    print(('*** WRONG ' if conf!=(exp=='c') and conf else 'ok        ' if conf==(exp=='c') else 'miss      ')+f"{label:34s} exp={exp} {out}",flush=True)
L='loop_invariant';A='location_invariant'
def src(name,text): open(name,'w').write(text); return name
p='p.c'
for exp,kind,line,col,val in [('c',L,7,3,'i<=5'),('n',L,7,3,'i<5'),('n',L,7,3,'i<=5 && 1/(i-3)<9'),('n',L,7,3,'i++ >= 0'),('n',L,7,3,'(i=0)==0'),('n',L,7,3,'arr[i]==0'),('c',L,7,3,'arr[0]==0'),('n',L,7,3,'i<5 || 1'[:3]),
  ('n',A,13,5,'i==5'),('c',A,13,5,'i==7'),('n',A,12,None,'i==7'),('c',A,12,None,'i==5'),('n',A,15,3,'x==3'),('n',L,7,3,'y==y'),('n',L,7,3,'1<<i<16 && i<<31 == 0'),('n',L,7,3,'i+2147483645 > 0'),
  ('n',L,7,3,'*(int*)0 == 0 || 1'),('n',L,7,3,'((int(*)(void))0)()==0'),('n',L,7,3,'reach_error(), 1'),('n',L,7,3,'sizeof(i++)==4 && i<5'),('n',L,7,3,'main'),('n',L,7,3,'i<5, 1 == 0'),('n',L,7,3,'!(i<=5)'),('n',L,7,3,'0'),('n',L,7,3,'-1 < 0u'),
  ('n',L,8,5,'1'),('n',A,70,1,'1'),('n',L,6,3,'1')]:
    run(p,wit(p,[(kind,line,col,val)]),exp,f"{kind[:4]} {line}:{col} {val}")
q=src('shadow.c','''extern void abort(void);
void reach_error(void) { abort(); }
static void nop(void){}
int main(void) {
  int i = 0; void (*__VERIFIER_error)(void) = nop;
  while (i < 5) {
    i++;
  }
  if (i != 5) reach_error();
  return 0;
}
''')
run(q,wit(q,[(L,6,3,'i==77')]),'n','shadowed __VERIFIER_error')
q=src('defbegin.c','''extern void abort(void);
void reach_error(void) { abort(); }
void __VERIFIER_atomic_begin(void){ abort(); }
int main(void) {
  int i = 0;
  while (i < 5) {
    i++;
  }
  if (i != 5) reach_error();
  return 0;
}
''')
run(q,wit(q,[(L,6,3,'i==77')]),'n','defined atomic_begin aborts')
q=src('deferr.c','''extern void abort(void);
void reach_error(void) { abort(); }
void __VERIFIER_error(void){ }
int main(void) {
  int i = 0;
  while (i < 5) {
    i++;
  }
  if (i != 5) reach_error();
  return 0;
}
''')
run(q,wit(q,[(L,6,3,'i==77')]),'n','defined __VERIFIER_error empty')
q=src('shadow2.c','''extern void abort(void);
void reach_error(void) { abort(); }
static void nop(void){ abort(); }
int main(void) {
  int i = 0; void (*__VERIFIER_atomic_begin)(void) = nop;
  while (i < 5) {
    i++;
  }
  if (i != 5) reach_error();
  return 0;
}
''')
run(q,wit(q,[(L,6,3,'i==77')]),'n','shadowed atomic_begin')
q=src('label.c','''extern void abort(void);
void reach_error(void) { abort(); }
int x;
int main(void) {
  goto L;
  x = 9;
L: x = 1;
  switch (x) {
  case 1: x = 2;
    break;
  case 3:
    x = 5;
  }
  if (x != 2) reach_error();
  return 0;
}
''')
for line,col,val in [(7,1,'x==77'),(7,4,'x==77'),(7,None,'x==77'),(9,3,'x==77'),(9,11,'x==77'),(9,None,'x==77'),(8,3,'x==77'),(10,5,'x==77')]:
    run(q,wit(q,[(A,line,col,val)]),'n',f'label {line}:{col}')
run(q,wit(q,[(A,12,5,'x==77')]),'c','dead case x==77 (true vacuous)')
q=src('entry.c','''extern void abort(void);
void reach_error(void) { abort(); }
int foo(void){ return 0; }
int main(void) { reach_error(); }
''')
run(q,wit(q,[],spec="CHECK( init(foo()), LTL(G ! call(reach_error())) )").replace("  content:\n","  content: []\n"),'n','init(foo())')
run(q,wit(q,[],spec="CHECK( init(main()), LTL(G ! call(other())) )").replace("  content:\n","  content: []\n"),'n','call(other)')
run(q,wit(q,[],spec="CHECK( init(main()), LTL(G ! overflow) )").replace("  content:\n","  content: []\n"),'c','overflow spec')
run(q,wit(q,[],spec="CHECK( init(main()), LTL(G ! overflow) )").replace("  content:\n","  content: []\n"),'n','overflow spec, --property reach',['--property','reach'])
# do-while, for without condition, macros, threads
q=src('thr.c','''#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
int x;
void *t(void*a){ x = 1; x = 0; return 0; }
int main(void) {
  pthread_t p; int i = 0;
  pthread_create(&p, 0, t, 0);
  while (i < 2) {
    i++;
  }
  pthread_join(p, 0);
  return 0;
}
''')
run(q,wit(q,[(L,9,3,'x==0')]),'n','thread x==0'); run(q,wit(q,[(L,9,3,'x==0||x==1')]),'c','thread x in 0,1'); run(q,wit(q,[(A,13,3,'x==0')]),'c','after join')
q=src('rec.c','''extern void abort(void);
void reach_error(void) { abort(); }
int f(int n){
  int r = 0;
  if (n > 0) {
    r = f(n-1);
    r = r + 1;
  }
  return r;
}
int main(void) {
  int u;
  if (f(3) != 3) reach_error();
  return 0;
}
''')
run(q,wit(q,[(A,9,3,'r<3')]),'n','recursion r<3'); run(q,wit(q,[(A,9,3,'r<=3')]),'c','recursion r<=3'); run(q,wit(q,[(A,13,3,'u==0')]),'n','uninit'); run(q,wit(q,[(A,13,3,'u==u')]),'n','uninit u==u')
