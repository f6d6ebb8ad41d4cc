/* The same as `crew_trylock`, but the mutex is unlocked whatever the result was. */
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

static void *visitor(void *arg)
{
    (void)arg;
    int busy = pthread_mutex_trylock(&lock);
    if (!busy)
        data++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, visitor, 0);
    pthread_create(&three, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
