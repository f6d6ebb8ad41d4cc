import json,subprocess,sys
def fnv(b):
    h=0xcbf29ce484222325
    for x in b: h=((h^x)*0x100000001b3)&(2**64-1)
    return '%016x'%h
def load(d): return json.load(open(d+'/evidence.json'))
def save(d,j):
    j['checksum']=''; j['checksum']=fnv(json.dumps(j,separators=(',',':'),ensure_ascii=False).encode())
    import os; os.makedirs(d,exist_ok=True); json.dump(j,open(d+'/evidence.json','w'),indent=2,ensure_ascii=False)
def verify(d,*a):
    p=subprocess.run(['/tmp/bin/mazurka','verify-evidence','--timeout','8',d,*a],capture_output=True,text=True); return p.returncode,(p.stdout+p.stderr).strip()[:220]
j=load('ev_explore'); save('x0',j); print('same',verify('x0'))
j=load('ev_explore'); j['texts'][0]['name']='unsafe.c'; save('x1',j); print('name spoof',verify('x1'))
j=load('ev_explore'); j['engine']='everyone, and also unsafe.c'; save('x2',j); print('engine spoof',verify('x2'))
j=load('ev_explore'); j['claim']['safe']['states']=45; save('x3',j); print('states',verify('x3'))
j=load('ev_horn'); print(list(j['claim']['safe'].keys()), j['claim']['safe']['kind'])
j=load('ev_bmc'); j['refutation']=None; save('x4',j); print('bmc no refutation',verify('x4'))
j=load('ev_explore'); j['property']='overflow'; save('x5',j); print('prop overflow',verify('x5'))
j=load('ev_explore'); j['property']='memsafety'; save('x6',j); print('prop memsafety',verify('x6'))
j=load('ev_explore'); j['options']['define']=['assert(x)=']; save('x7',j); print('define',verify('x7'))
j=load('ev_explore'); j['options']['entry']='increment'; save('x8',j); print('entry',verify('x8'))
j=load('ev_explore'); j['options']['data_model']='ilp32'; save('x9',j); print('ilp32',verify('x9'))
j=load('ev_explore'); j['options']['lbe']='off'; save('x10',j); print('lbe off',verify('x10'))
for kind in ['classes-of-executions']: pass
subprocess.run(['rm','-rf','ev_u']); p=subprocess.run(['/tmp/bin/mazurka','check','--evidence','ev_u','unsafe.c'],capture_output=True,text=True)
u=load('ev_u'); print(json.dumps(u['claim'])[:300])
for k in ['ev_explore','ev_bmc','ev_cegar','ev_horn']:
    j=load(k); a=dict(u); a['claim']=j['claim']; a['refutation']=j['refutation']; 
    subprocess.run(['rm','-rf','xs']); subprocess.run(['cp','-r',k,'xs']); save('xs',a); print('swap',k,verify('xs'))
a=dict(load('ev_explore')); a['claim']=u['claim']; save('xt',a); print('unsafe trace on safe',verify('xt'))
# other proof kinds
import glob
