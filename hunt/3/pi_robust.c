// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
pthread_mutex_t m;
int main(void){ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setprotocol(&a,PTHREAD_PRIO_PROTECT); pthread_mutexattr_setrobust(&a,1); if(pthread_mutex_init(&m,&a)!=0) reach_error(); }
