import csv,subprocess,json,os,sys,re,collections
B='/tmp/bin/mz2'
def run(f,prop,extra=[],eng='auto'):
    c=[B,'check','--property',prop,'--engine',eng,'--timeout','4','--format','json',*extra,f]
    try: p=subprocess.run(c,capture_output=True,text=True,timeout=30)
    except subprocess.TimeoutExpired: return 'hang'
    try: return json.loads(p.stdout)['verdict']
    except Exception: return 'refused' if p.returncode in(64,65) else f'exit {p.returncode}'
cnt=collections.Counter(); wrong=[]
for l in open('/tmp/attack3/found/INDEX.tsv'):
    a=l.strip().split('\t')
    if len(a)<4: continue
    f='/tmp/attack3/found/'+a[0]
    if not os.path.exists(f) : continue
    exp=a[2].split('=')[1]
    first=open(f).readline(); m=re.search(r'args=\[(.*?)\]',first); ex=m.group(1).split() if m else []
    v=run(f,a[1],ex); k='exact' if v==exp else ('ok' if v in('unknown','refused') else 'WRONG'); cnt[k]+=1
    if k=='WRONG': wrong.append(('3',a[0],a[1],exp,v))
print(cnt); 
for w in wrong: print(*w)
