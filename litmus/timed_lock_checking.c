/* A timed lock of an error-checking mutex that another thread keeps ends all the same. */
#define _GNU_SOURCE
#include <errno.h>
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *arg)
{
    struct timespec until = {1, 0};
    assert(pthread_mutex_timedlock(&lock, &until) == ETIMEDOUT);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attr);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
