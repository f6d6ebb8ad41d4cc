import sys; sys.argv=['x']
exec(open('/tmp/recheck.py').read().split("cnt=collections")[0])
cnt=collections.Counter()
for r in csv.DictReader(open('/tmp/attack2/found/INDEX.tsv'),delimiter='\t'):
    f='/tmp/attack2/found/'+r['file']
    for p in r['property'].split(','):
      p=p.strip()
      if not os.path.exists(f): continue
      engs=['auto']+(['bmc','cegar','horn','fusion','explore'] if p=='reach' else [])
      for e in engs:
        v=run(f,p,[],e); k='exact' if v==r['expected'] else ('ok' if v in('unknown','refused') else 'WRONG'); cnt[k]+=1
        if k=='WRONG': print(r['file'],e,p,r['expected'],v,r['why'][:60])
print(cnt)
for f in sorted(os.listdir('/tmp/attack1/found')):
    f='/tmp/attack1/found/'+f; t=open(f).read()
    for m in re.finditer(r'(\w+)=(safe|unsafe|unknown)',t.split('\n')[0]):
        v=run(f,m.group(1)); print(os.path.basename(f),m.group(1),'expected',m.group(2),'got',v,'' if v in (m.group(2),'unknown','refused') else 'WRONG')
    if 'expect' not in t.split('\n')[0]:
        print(os.path.basename(f),'no header','reach',run(f,'reach'),'race',run(f,'race'))
