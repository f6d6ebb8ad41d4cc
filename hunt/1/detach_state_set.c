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
#include <unistd.h>
pthread_attr_t a;void*f(void*p){return 0;}int main(){pthread_t t;pthread_attr_init(&a);pthread_attr_setdetachstate(&a,PTHREAD_CREATE_DETACHED);pthread_create(&t,&a,f,0);assert(pthread_detach(t)==0);}
