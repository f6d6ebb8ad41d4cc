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
mtx_t m;int main(){mtx_init(&m,0);mtx_destroy(&m);assert(mtx_lock(&m)==thrd_success);}
