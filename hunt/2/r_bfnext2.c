// EXPECT r_bfnext2 race=safe
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

struct{unsigned a:20;unsigned char c;}s; void*t(void*z){ s.a=1; return 0;} int main(void){ pthread_t h; pthread_create(&h,0,t,0); s.c=2; pthread_join(h,0); return 0;}
