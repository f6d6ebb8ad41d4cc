/* A barrier is destroyed by a thread that it has let go. */
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
    pthread_barrier_wait(&b);
    pthread_barrier_destroy(&b);
    pthread_join(t, 0);
    return 0;
}
