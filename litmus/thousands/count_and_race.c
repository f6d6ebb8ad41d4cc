/* Thousands of threads count without a lock: some additions are lost. */
#include <assert.h>
#include <pthread.h>

#define THREADS 10000

static int count;

static void *add(void *arg)
{
    count++;
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
