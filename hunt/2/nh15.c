// EXPECT nh15 reach=unsafe
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

int a[4],b[4]; int*end(int*p,int n){return p+n;} int main(void){ int*e=end(a,__VERIFIER_nondet_bool()?4:2); int hit=0; for(int*q=b;q<b+4;q++) if(q==e) hit=1; assert(!hit); return 0;}
