// EXPECT memcmpord reach=unknown
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

int x,y; struct S{char c[8];int*p;} s,t; int main(void){s.p=&x;t.p=&y; assert(memcmp(&s,&t,sizeof s)<0);return 0;}
