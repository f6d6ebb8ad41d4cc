#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <semaphore.h>
#include <threads.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <unistd.h>
pthread_rwlock_t m=PTHREAD_RWLOCK_INITIALIZER;int main(){pthread_rwlock_unlock(&m);assert(pthread_rwlock_trywrlock(&m)==0);}
