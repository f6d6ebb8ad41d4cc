/* A barrier is destroyed while threads may wait at it. */
#include <pthread.h>

pthread_barrier_t b;

void *waits(void *arg)
{
    pthread_barrier_wait(&b);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, waits, 0);
    pthread_barrier_destroy(&b);
    return 0;
}
