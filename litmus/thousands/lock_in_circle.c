/* Thousands of threads take two locks in one order, and the one that starts them takes them in the other. */
#include <pthread.h>

#define THREADS 10000

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *work(void *arg)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    value = 1;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return arg;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_detach(thread);
    }
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    value = 2;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}
