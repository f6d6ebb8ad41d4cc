// EXP deadlock safe EXP reach unsafe
#include <pthread.h>
#include <string.h>
void reach_error(void){}
int main(void){ pthread_mutexattr_t a; memset(&a,0,sizeof a); *(int*)&a=PTHREAD_MUTEX_ERRORCHECK; pthread_mutex_t m; pthread_mutex_init(&m,&a); pthread_mutex_lock(&m); if(pthread_mutex_lock(&m)==35) reach_error(); return 0; }
