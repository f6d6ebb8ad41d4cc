// EXP race unsafe
#include <pthread.h>
pthread_condattr_t a; pthread_cond_t m;
void*t(void*x){ pthread_condattr_setclock(&a,1); return 0;}
int main(void){ pthread_condattr_init(&a); pthread_t p; pthread_create(&p,0,t,0); pthread_cond_init(&m,&a); pthread_join(p,0); }
