// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
int main(void){ pthread_mutex_lock(&m); if(pthread_mutex_destroy(&m)!=0) reach_error(); }
