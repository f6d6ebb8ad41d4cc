// EXPECT hb1 reach=unsafe
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>
#include <limits.h>
#include <stdbool.h>
#include <math.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);extern unsigned __VERIFIER_nondet_uint(void);extern _Bool __VERIFIER_nondet_bool(void);extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);extern char __VERIFIER_nondet_char(void);extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);extern void __VERIFIER_atomic_begin(void);extern void __VERIFIER_atomic_end(void);

struct H{char k[8];pthread_t t;}; void*t(void*a){return 0;} int main(void){ struct H a={"a"}; pthread_create(&a.t,0,t,0); int n=0; for(unsigned i=0;i<sizeof a;i++) n+=((char*)&a)[i]!=0; pthread_join(a.t,0); assert(n<4); return 0;}
