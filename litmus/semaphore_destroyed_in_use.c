/* A semaphore and a reader-writer lock that are destroyed while another thread uses them: mistakes, but no data races. */
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *use(void *arg)
{
    sem_post(&sem);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&sem, 0, 1);
    pthread_create(&thread, 0, use, 0);
    sem_destroy(&sem);
    pthread_rwlock_destroy(&lock);
    pthread_join(thread, 0);
    return 0;
}
