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
int r;void*f(void*a){pthread_detach(pthread_self());r=pthread_detach(pthread_self());assert(r==0);pthread_exit(0);}int main(){pthread_t t;pthread_create(&t,0,f,0);pthread_exit(0);}
