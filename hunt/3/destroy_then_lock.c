// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
int main(void){ pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; pthread_mutex_destroy(&m); if(pthread_mutex_lock(&m)!=0) reach_error(); }
