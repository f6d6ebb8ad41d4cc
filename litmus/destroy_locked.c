/* A mutex that is locked cannot be destroyed (EBUSY). */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_destroy(&lock) != 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
