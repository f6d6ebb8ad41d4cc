/* The value that decides about locking is not the one that was set last. */
#include <pthread.h>

static pthread_key_t key;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    int x, y;
    pthread_setspecific(key, &y);
    pthread_setspecific(key, &x);
    if (pthread_getspecific(key) == &y)
        pthread_mutex_lock(&mutex);
    data++;
    if (pthread_getspecific(key) == &y)
        pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_key_create(&key, 0);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return data;
}
