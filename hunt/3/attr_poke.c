// EXP reach unsafe EXP deadlock safe
#define _GNU_SOURCE
#include <pthread.h>
void reach_error(void){}
pthread_mutex_t m;
int main(void){ pthread_mutexattr_t a; a.__align=2; pthread_mutex_init(&m,&a); pthread_mutex_lock(&m); if(pthread_mutex_lock(&m)==35) reach_error(); return 0; }
