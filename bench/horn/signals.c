/* A producer and a consumer pass one item at a time through a buffer and tell each other by
   condition variables. With -DBUG the consumer does not look whether the item is already there, so
   that it may wait for a signal that has been given before. */
#include <pthread.h>

#ifndef N
#define N 1
#endif

int full;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;

void *producer(void *arg)
{
    int i;
    for (i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&emptied, &m);
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *consumer(void *arg)
{
    int i;
    for (i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
#ifdef BUG
        pthread_cond_wait(&filled, &m);
#else
        while (!full)
            pthread_cond_wait(&filled, &m);
#endif
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, producer, 0);
    pthread_create(&t2, 0, consumer, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
