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
int main(void){ FILE *p=0; ungetc(1,p); return 0; }
