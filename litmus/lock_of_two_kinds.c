/* A reader-writer lock that is taken as a mutex does not know its readers. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *reader(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    int seen = data;
    pthread_rwlock_unlock(&lock);
    return (void *)(long)seen;
}

static void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock((pthread_mutex_t *)&lock);
    data = 1;
    pthread_mutex_unlock((pthread_mutex_t *)&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
