// EXP race unsafe
#include <pthread.h>
pthread_mutex_t m;
void*t(void*a){ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); pthread_mutex_init(&m,0); pthread_join(p,0); }
