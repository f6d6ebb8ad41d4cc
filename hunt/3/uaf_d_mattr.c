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
int main(void){ pthread_mutexattr_t *p=malloc(sizeof(pthread_mutexattr_t)); pthread_mutexattr_init(p); free(p); pthread_mutexattr_destroy(p); return 0; }
