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
pthread_mutex_t m;int main(){memset(&m,0xff,sizeof m);assert(pthread_mutex_lock(&m)==0);}
