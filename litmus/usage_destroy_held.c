/* Main does not wait for the thread that may still hold the mutex. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *works(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, works, 0);
    pthread_mutex_destroy(&m);
    pthread_join(t, 0);
    return 0;
}
