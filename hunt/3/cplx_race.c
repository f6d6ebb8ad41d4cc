// EXP race unsafe
#include <complex.h>
#include <pthread.h>
double complex a,b;
void*t(void*x){ a=b; return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); a=b; pthread_join(p,0); return 0;}
