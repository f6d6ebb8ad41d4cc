// The lock is free now and then, but never when the other thread has its turn.
#include <pthread.h>

int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *set(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, 0, set, 0);
    while (!seen) {
        pthread_mutex_lock(&m);
        seen = ready;
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
