#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <semaphore.h>
#include <threads.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
int f(void*a){thrd_sleep(&(struct timespec){1,0},0);return 5;}int main(){thrd_t t;int r=0;thrd_create(&t,f,0);thrd_detach(t);assert(thrd_join(t,&r)==thrd_success);}
