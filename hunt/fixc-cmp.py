import subprocess,json,sys,csv,os,random,time
old,new=sys.argv[1:3]; n=int(sys.argv[3]); limit=time.time()+float(sys.argv[4])
P={'unreach-call':'reach','no-data-race':'race','no-overflow':'overflow','valid-memsafety':'memsafety','valid-memcleanup':'memsafety','termination':'termination','deadlock':'deadlock'}
tasks=[]
for d in ('corpus','svcomp25','peersreg'):
    rows=list(csv.DictReader(open(f'/work/shared/{d}/tasks.csv'))); random.Random(7).shuffle(rows)
    k=0
    for r in rows:
        for ext in ('.i','.c'):
            f=f"/work/shared/{d}/{r['family']}/{r['task']}{ext}"
            if os.path.exists(f) and r['property'] in P:
                tasks.append((f,P[r['property']],r['data_model'].lower(),r['expected'])); k+=1; break
        if k>=n: break
random.Random(3).shuffle(tasks)
def run(b,f,p,dm):
    try: r=subprocess.run([b,'check','--property',p,'--timeout','2','--format','json','--data-model',dm,f],capture_output=True,text=True,timeout=20)
    except Exception as e: return 'timeout',''
    try:
        j=json.loads(r.stdout); return j['verdict'],str(j.get('reason'))[:150]
    except Exception: return 'refused',(r.stdout+r.stderr)[-150:]
done=diff=0
for f,p,dm,e in tasks:
    if time.time()>limit: break
    a=run(old,f,p,dm); b=run(new,f,p,dm); done+=1
    if a[0]!=b[0]:
        diff+=1; print(f[13:],p,'exp',e,'old',a,'new',b,flush=True)
print(done,'compared',diff,'differ')
