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
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;int main(){pthread_mutex_destroy(&m);assert(pthread_mutex_lock(&m)==0);}
