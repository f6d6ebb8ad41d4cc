/* Thousands of threads count behind a lock. */
#include <assert.h>
#include <pthread.h>

#define THREADS 10000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(count <= THREADS);
    return 0;
}
