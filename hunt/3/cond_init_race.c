// EXP race unsafe
#include <pthread.h>
pthread_cond_t c;
void*t(void*x){ pthread_cond_init(&c,0); return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); pthread_cond_init(&c,0); pthread_join(p,0); }
