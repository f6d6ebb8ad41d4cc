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
int main(void){ cnd_t *p=0; cnd_init(p); return 0; }
