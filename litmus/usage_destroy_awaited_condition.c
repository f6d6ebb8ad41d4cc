/* A condition variable is destroyed although a thread may still wait on it. */
#include <pthread.h>

pthread_mutex_t m;
pthread_cond_t c;

void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waits, 0);
    pthread_cond_signal(&c);
    pthread_cond_destroy(&c);
    return 0;
}
