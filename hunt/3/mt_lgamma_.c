// EXP race unsafe
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
void*t(void*a){ volatile double d=0.5; d=lgamma(d); return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); t(0); pthread_join(p,0); return 0; }
