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
int main(void){ cnd_t *p=malloc(sizeof(cnd_t)); cnd_init(p); free(p); cnd_destroy(p); return 0; }
