/* Each of thousands of threads writes to a place of its own; the last one has none. */
#include <pthread.h>

#define THREADS 10000

static int slots[THREADS];

static void *fill(void *arg)
{
    int *mine = arg;
    *mine = 1;
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, fill, &slots[i + 1]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
