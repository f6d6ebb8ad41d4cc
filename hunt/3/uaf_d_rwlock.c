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
int main(void){ pthread_rwlock_t *p=malloc(sizeof(pthread_rwlock_t)); pthread_rwlock_init(p,0); free(p); pthread_rwlock_destroy(p); return 0; }
