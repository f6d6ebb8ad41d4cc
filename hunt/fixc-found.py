import subprocess,json,sys,re
B=sys.argv[1]
A2="ct1 ct4 ct5 ct8 ct10 ct11 cst12 ctr ms_switchlocal ms_goto_into2 uv13 uv13c uv14 uv15 ms_gotoback ui7 uv2 fast3 fast4 fast7 fast6 fastatic2 bfnext_reach r_bfnext2 bfprev bfcross bfpacked bfc2 r_bfchars pad5 pad6 end19 emp2 lit2 lit4".split()
A3="vec_asg vec_union vec_struct vec_race vec_uaf vec_null cplx cplx_struct cplx_race f128 dec64_asg vec_param2 vec_ret2 tas_int tas_int2 aclear_int2 lockfree islockfree asm64 asm_def64 asm_xpg asm_longjmp redef64 objsize objsize2 constp constp3 dec64 trapv opt_trapv omp pack_align lay24_ilp32 lay24_lp64 lay26_ilp32 lay26_lp64 assume_def assert_fail_own strlit_files ctor_alias atomic4d divmin".split()
E={}
for l in open('/tmp/attack2/found/INDEX.tsv'):
    f=l.split('\t')
    if len(f)>2: E[('2',f[0][:-2])]=(f[1],f[2])
for l in open('/tmp/attack3/found/INDEX.tsv'):
    f=l.split('\t'); E[('3',f[0][:-2])]=(f[1],f[2][4:])
for w,names in (('2',A2),('3',A3)):
    for n in names:
        if (w,n) not in E: print(n,'not in index'); continue
        p,e=E[(w,n)]
        dm=['--data-model','ilp32'] if 'ilp32' in n else []
        r=subprocess.run([B,'check','--property',p,'--timeout','6','--format','json',*dm,f'/tmp/attack{w}/found/{n}.c'],capture_output=True,text=True)
        try:
            j=json.loads(r.stdout); v=j['verdict']; why=str(j.get('reason'))[:110]
        except Exception: v='refused'; why=(r.stdout+r.stderr).strip().splitlines()[-1:][0][:140] if (r.stdout+r.stderr).strip() else ''
        mark='ok' if v==e else ('WRONG' if v in('safe','unsafe') else '-')
        print(f'{mark:6}{n:16}{p:10}exp {e:8} got {v:8} {"" if mark=="ok" else why}',flush=True)
