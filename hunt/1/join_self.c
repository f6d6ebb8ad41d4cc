// expect: deadlock=safe termination=safe
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
void*f(void*a){PJ(pthread_self());return 0;}int main(){T t;PC(t,f,0);PJ(t);}
