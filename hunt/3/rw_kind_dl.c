// EXP deadlock unsafe EXP termination unsafe
#define _GNU_SOURCE
#include <pthread.h>
pthread_rwlock_t l=PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
void *w(void*a){ pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,w,0); pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); pthread_join(p,0); return 0;}
