// EXP reach unsafe EXP deadlock safe
#define _GNU_SOURCE
#include <pthread.h>
void reach_error(void){}
pthread_mutex_t m;
int main(void){ m.__data.__kind=2; pthread_mutex_lock(&m); if(pthread_mutex_lock(&m)==35) reach_error(); return 0; }
