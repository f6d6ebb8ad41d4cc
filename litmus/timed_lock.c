/* A timed lock of a mutex that is never free ends all the same. */
#define _GNU_SOURCE
#include <errno.h>
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    struct timespec until = {1, 0};
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_timedlock(&lock, &until) == ETIMEDOUT);
    return 0;
}
