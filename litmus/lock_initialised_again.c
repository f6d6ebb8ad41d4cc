/* Initialising a mutex again sets it free, whoever holds it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *initialiser(void *arg)
{
    (void)arg;
    pthread_mutex_init(&lock, 0);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_mutex_lock(&lock);
    pthread_create(&two, 0, initialiser, 0);
    data++;
    pthread_mutex_unlock(&lock);
    return 0;
}
