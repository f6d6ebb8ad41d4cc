/* A barrier that is freed without being destroyed: a thread may be leaving it. */
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
    free(barrier);
    pthread_join(thread, 0);
    return 0;
}
