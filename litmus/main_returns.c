/* When `main` returns the process ends, and a thread that waits for ever with it. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_ever(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait_for_ever, 0);
    return 0;
}
