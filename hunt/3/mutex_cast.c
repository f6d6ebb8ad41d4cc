// EXP deadlock safe EXP reach unsafe
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
void reach_error(void){}
int init[10]={0,0,0,0,2,0,0,0,0,0};
int main(void){ pthread_mutex_t m; memcpy(&m,init,sizeof m); pthread_mutex_lock(&m); if(pthread_mutex_lock(&m)==35) reach_error(); return 0; }
