/* A thread waits without holding the mutex. */
#include <pthread.h>

pthread_mutex_t m;
pthread_cond_t c;
int ready;

void *signals(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, signals, 0);
    while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST))
        pthread_cond_wait(&c, &m);
    pthread_join(t, 0);
    return 0;
}
