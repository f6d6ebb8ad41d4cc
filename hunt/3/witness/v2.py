exec(open('v.py').read().split("p='p.c'")[0])
q=src('multi.c','''extern void abort(void);
void reach_error(void) { abort(); }
int b = 0;
void f(void) {
  b = b + 0;
}
int main(void) {
  int a = 1,
      b = 2;
  f();
  return 0;
}
''')
run(q,wit(q,[(A,5,3,'b==2')]),'n','global b==2 (false)')
run(q,wit(q,[(A,5,3,'b==0')]),'c','global b==0 (true)')
run(q,wit(q,[(A,5,3,'b==2'),(A,9,None,'1')]),'n','multi-declarator trick')
run(q,wit(q,[(A,9,None,'a==77')]),'n','a==77 at 2nd declarator')
q=src('multi2.c','''extern void abort(void);
void reach_error(void) { abort(); }
void __VERIFIER_atomic_begin(void);
int b = 0;
void f(void) {
  b = b + 0;
}
int main(void) {
  void
      (*b)(void) = f;
  f();
  return 0;
}
''')
run(q,wit(q,[(A,10,None,'1'),(A,6,3,'b==0')]),'n?','split declarator')
# dangling else
q=src('dang.c','''extern void abort(void);
void reach_error(void) { abort(); }
int x;
int main(void) {
  if (x == 0)
    if (x == 1)
      x = 5;
    else
      x = 6;
  while (x < 8) x++;
  do x++; while (x < 12);
  for (;;) { if (x > 20) break; x++; }
  L: if (x == 21) x = 22;
  return x;
}
''')
for line,col,val,exp in [(6,5,'x==77','n'),(9,7,'x==77','n'),(7,7,'x==77','c'),(10,3,'x==77','n'),(11,3,'x==77','n'),(12,3,'x==77','n'),(10,17,'x<8','c'),(10,17,'x<7','n'),(13,6,'x==77','n'),(13,19,'x==21','c'),(14,3,'x==77','n')]:
    run(q,wit(q,[(A,line,col,val)]),exp,f'dang loc {line}:{col} {val}')
for line,col,val,exp in [(10,3,'x>=6 && x<=8','c'),(10,3,'x<8','n'),(11,3,'x>8','c'),(11,3,'x>9','n'),(12,3,'x<=20','n'),(12,3,'x==77','n')]:
    run(q,wit(q,[(L,line,col,val)]),exp,f'dang loop {line}:{col} {val}')
# invariants in atomic functions / threads with wait
q=src('atm.c','''#include <pthread.h>
extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) { abort(); }
int x, y;
void *t(void *a) {
  __VERIFIER_atomic_begin();
  x = 1;
  y = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int i = 0;
  while (i < 1) {
    i++;
  }
  return 0;
}
''')
run(q,wit(q,[(L,18,3,'x==y')]),'c','atomic x==y')
run(q,wit(q,[(A,10,3,'x==y')]),'n','inside atomic x==y')
run(q,wit(q,[(A,10,3,'x==1 && y==0')]),'c','inside atomic')
G='''  - ghost_variables:
'''
def gh(vars_,ups):
    s="    ghost_variables:\n"
    for n,t,v in vars_: s+=f"    - name: {n}\n      scope: global\n      type: {t}\n      initial:\n        value: \"{v}\"\n        format: c_expression\n"
    s+="    ghost_updates:\n"
    for (f,line,col,var,val) in ups: s+=f"    - location:\n        file_name: {f}\n        line: {line}\n        column: {col}\n        function: main\n      updates:\n      - variable: {var}\n        value: \"{val}\"\n        format: c_expression\n"
    return s
run(q,wit(q,[(L,18,3,'g==1')],'2.1',ghosts=gh([('g','int',0)],[(q,17,3,'g','1')])),'?','ghost decl line')
run(q,wit(q,[(L,18,3,'g==0')],'2.1',ghosts=gh([('g','int',0)],[(q,19,5,'g','1')])),'n','ghost g==0 but updated')
run(q,wit(q,[(L,18,3,'g==i')],'2.1',ghosts=gh([('g','int',0)],[(q,19,5,'g','g+1')])),'c','ghost g==i')
run(q,wit(q,[(L,18,3,'x==0')],'2.1',ghosts=gh([('x','int',0)],[(q,19,5,'x','0')])),'n','ghost named x')
run(q,wit(q,[(L,18,3,'1')],'2.1',ghosts=gh([('abort','int',0)],[])),'n','ghost named abort')
run(q,wit(q,[(L,18,3,'1')],'2.1',ghosts=gh([('restrict','int',0)],[])),'n','ghost named restrict')
run(q,wit(q,[(L,18,3,'1')],'2.1',ghosts=gh([('reach_error','int',0)],[])),'n','ghost named reach_error')
