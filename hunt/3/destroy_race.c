// EXP race unsafe
#include <pthread.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
void*t(void*a){ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); pthread_mutex_destroy(&m); pthread_join(p,0); }
