// EXPECT ptrnondet reach=unsafe
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

extern void*__VERIFIER_nondet_pointer(void); int x,y; int main(void){char*a=__VERIFIER_nondet_pointer(),*b=__VERIFIER_nondet_pointer(); if(a==(char*)&x&&b==(char*)&y) assert((uintptr_t)a<(uintptr_t)b);return 0;}
