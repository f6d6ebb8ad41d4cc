// EXP reach unsafe
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>
void reach_error(void){}
pthread_rwlock_t l;
void *w(void*a){ pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); return 0;}
int main(void){ pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); pthread_rwlockattr_setkind_np(&a,PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); pthread_rwlock_init(&l,&a); pthread_t p; pthread_rwlock_rdlock(&l); pthread_create(&p,0,w,0); sleep(1); if(pthread_rwlock_tryrdlock(&l)) reach_error();  return 0;}
