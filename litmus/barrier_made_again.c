/* A barrier that is destroyed and made again: nobody waits for a round of the first one. */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *other(void *arg)
{
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, other, 0);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, 0, 3);
    pthread_join(thread, 0);
    return 0;
}
