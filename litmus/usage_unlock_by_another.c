/* A thread unlocks a mutex that main holds. */
#include <pthread.h>

pthread_mutex_t m;

void *unlocks(void *arg)
{
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, unlocks, 0);
    pthread_join(t, 0);
    return 0;
}
