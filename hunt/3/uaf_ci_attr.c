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
int main(void){ pthread_condattr_t *p=malloc(sizeof(pthread_condattr_t)); pthread_condattr_init(p); free(p); pthread_cond_t m;pthread_cond_init(&m,p); return 0; }
