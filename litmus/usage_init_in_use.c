/* Each thread initialises the mutex before it uses it. */
#include <pthread.h>

pthread_mutex_t m;

void *works(void *arg)
{
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, works, 0);
    works(0);
    pthread_join(t, 0);
    return 0;
}
