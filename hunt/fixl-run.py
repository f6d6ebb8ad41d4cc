#!/usr/bin/env python3
import sys,subprocess,json,re,glob,os
# usage: run.py files...   first line: // EXP prop expected [extra args]
for f in sys.argv[1:]:
    l=open(f).readline()
    for m in re.finditer(r'EXP (\w+) (\w+)(?: args=\[(.*?)\])?',l):
        prop,exp,extra=m.groups()
        cmd=['/tmp/bin/mazurka-fixl','check','--property',prop,'--timeout','8','--format','json']+(extra.split() if extra else [])+[f]
        p=subprocess.run(cmd,capture_output=True,text=True)
        try:
            j=json.loads(p.stdout); v=j.get('verdict'); 
        except Exception as e:
            v='refused' if p.returncode==65 else 'CRASH?'; j={}
        eng=j.get('engine')
        flag='' 
        if v in('safe','unsafe') and v!=exp: flag='*** WRONG'
        elif v not in('safe','unsafe'): flag='-'
        else: flag='ok'
        ass=j.get('assumptions')
        why=''
        if flag=='-': why=(json.dumps(j.get('reason') or '')+' '+p.stderr.replace('\n',' ')[:160])[:230]
        print(f"{flag:10s} {os.path.basename(f):28s} {prop:9s} exp={exp:7s} got={v} {eng} {why} {('ASSUME '+json.dumps(ass)[:150]) if ass else ''}",flush=True)
