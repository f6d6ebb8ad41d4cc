// EXP race unsafe
#include <stdlib.h>
#include <pthread.h>
void*t(void*a){ setenv("A","b",1); return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); getenv("A"); pthread_join(p,0); return 0; }
