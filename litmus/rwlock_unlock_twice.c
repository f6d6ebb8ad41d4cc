/* A reader gives the lock back twice, and so a share that is not its own. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *reader(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    int seen = data;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return (void *)(long)seen;
}

static void *writer(void *arg)
{
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    data = 1;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t tids[3];
    pthread_create(&tids[0], 0, reader, 0);
    pthread_create(&tids[1], 0, reader, 0);
    pthread_create(&tids[2], 0, writer, 0);
    return 0;
}
