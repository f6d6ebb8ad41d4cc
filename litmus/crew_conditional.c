/* Whether to lock depends on a value that each thread has for itself. */
#include <pthread.h>

static __thread int locking;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    locking = 1;
    if (locking)
        pthread_mutex_lock(&mutex);
    data++;
    if (locking)
        pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return data;
}
