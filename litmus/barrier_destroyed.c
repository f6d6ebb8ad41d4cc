/* A barrier that is destroyed is used for nothing any more: destroying it waits for the threads that leave. */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *other(void *arg)
{
    pthread_barrier_wait(barrier);
    return arg;
}

int main(void)
{
    pthread_t thread;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, 0, 2);
    pthread_create(&thread, 0, other, 0);
    pthread_barrier_wait(barrier);
    pthread_barrier_destroy(barrier);
    free(barrier);
    pthread_join(thread, 0);
    return 0;
}
