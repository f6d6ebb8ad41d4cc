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
void*f(void*a){return 0;}int main(){pthread_t t;pthread_create(&t,0,f,0);pthread_detach(t);assert(pthread_detach(t)==0);}
