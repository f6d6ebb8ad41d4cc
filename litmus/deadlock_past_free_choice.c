/* Which way main takes at the exchange does not matter, only that it goes on to the join. */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
int value;

static void *wait_for_ever(void *arg)
{
    (void)arg;
    __atomic_store_n(&value, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex);
    while (1)
        pthread_cond_wait(&never, &mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    __atomic_compare_exchange_n(&value, &seen, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    return 0;
}
