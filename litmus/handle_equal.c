/* Threads that run at the same time have different handles, and each knows its own. */
#include <assert.h>
#include <pthread.h>

static pthread_t first, other;

static void *worker(void *arg)
{
    assert(pthread_equal(pthread_self(), first));
    return arg;
}

static void *idle(void *arg) { return arg; }

int main(void)
{
    pthread_create(&first, 0, worker, 0);
    pthread_create(&other, 0, idle, 0);
    assert(first != other);
    pthread_join(first, 0);
    pthread_join(other, 0);
    return 0;
}
