// expect: race=any
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <assert.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>
#include <unistd.h>
#include <errno.h>
int __VERIFIER_nondet_int(void);void __VERIFIER_assume(int);void __VERIFIER_atomic_begin(void);void __VERIFIER_atomic_end(void);
#define ML pthread_mutex_lock
#define MU pthread_mutex_unlock
#define PC(t,f,a) pthread_create(&t,0,f,(void*)(a))
#define PJ(t) pthread_join(t,0)
#define MI PTHREAD_MUTEX_INITIALIZER
typedef pthread_mutex_t M; typedef pthread_t T;
#include <time.h>
#include <sys/time.h>
#include <ctype.h>
#include <stdint.h>
M m;
void*f(void*a){pthread_mutex_init(&m,0); return 0;}
void*g(void*a){pthread_mutex_init(&m,0); return 0;}
int main(){T t,u; PC(t,f,0);PC(u,g,0);PJ(t);PJ(u);}
