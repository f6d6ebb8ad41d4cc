// EXP reach safe
#include <pthread.h>
void reach_error(void){}
pthread_mutex_t m; int bad;
void*t1(void*a){pthread_mutex_lock(&m);return 0;}
void*t2(void*a){ if(pthread_mutex_trylock(&m)==16) reach_error(); return 0;}
int main(void){ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a,1); pthread_mutex_init(&m,&a); pthread_t p,q; pthread_create(&p,0,t1,0); pthread_join(p,0); if(pthread_mutex_lock(&m)!=130) return 0; pthread_mutex_unlock(&m);
 pthread_create(&p,0,t2,0); pthread_create(&q,0,t2,0); pthread_join(p,0); pthread_join(q,0); }
