/* A mutex inside memory from the heap, found through a pointer. */
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>

struct counter {
    int pad;
    pthread_mutex_t lock;
    int value;
};

static void *increment(void *arg)
{
    struct counter *counter = arg;
    pthread_mutex_lock(&counter->lock);
    counter->value++;
    pthread_mutex_unlock(&counter->lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    struct counter *counter = malloc(sizeof *counter);
    pthread_mutex_init(&counter->lock, 0);
    counter->value = 0;
    pthread_create(&a, 0, increment, counter);
    pthread_create(&b, 0, increment, counter);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter->value == 2);
    free(counter);
    return 0;
}
