/* A broadcast wakes everybody who waits. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int open;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!open)
        pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, wait_for_it, 0);
    pthread_create(&b, 0, wait_for_it, 0);
    pthread_mutex_lock(&lock);
    open = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
