/* Two threads wait on one condition variable, each with a mutex of its own. */
#include <pthread.h>

pthread_mutex_t m, n;
pthread_cond_t c;

void *waits(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_cond_wait(&c, mutex);
    pthread_mutex_unlock(mutex);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waits, &m);
    waits(&n);
    pthread_join(t, 0);
    return 0;
}
