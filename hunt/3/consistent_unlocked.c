// EXP reach unsafe args=[--data-model ilp32]
#include <pthread.h>
void reach_error(void){}
pthread_mutex_t m;
void*t(void*a){pthread_mutex_lock(&m);return 0;}
int main(void){ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a,PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&m,&a); pthread_t p; pthread_create(&p,0,t,0); pthread_join(p,0); if(pthread_mutex_consistent(&m)!=0) reach_error(); }
