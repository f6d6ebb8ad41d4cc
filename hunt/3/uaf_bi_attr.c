// EXP memsafety unsafe
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <stdlib.h>
#include <time.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <signal.h>
void*th(void*a){return 0;} void fn(void){}
int main(void){ pthread_barrierattr_t *p=malloc(sizeof(pthread_barrierattr_t)); pthread_barrierattr_init(p); free(p); pthread_barrier_t m;pthread_barrier_init(&m,p,1); return 0; }
