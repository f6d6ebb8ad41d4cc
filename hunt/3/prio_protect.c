// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
pthread_mutex_t m;
int main(void){ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setprotocol(&a,PTHREAD_PRIO_PROTECT); pthread_mutexattr_setprioceiling(&a,99); pthread_mutex_init(&m,&a); if(pthread_mutex_lock(&m)) reach_error(); }
