// A lock is unlocked through a pointer that was never set: it may be any lock.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *thread(void *unused)
{
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t other;
    pthread_mutex_t *unset;
    pthread_mutex_lock(&lock);
    pthread_create(&other, 0, thread, 0);
    pthread_mutex_unlock(unset);
    shared++;
    return 0;
}
