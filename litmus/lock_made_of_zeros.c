/* A mutex in memory that calloc has filled with zeros: its words are 0. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_mutex_t *lock = calloc(1, sizeof *lock);
    if (lock == NULL)
        return 1;
    assert(*(int *)lock == 0);
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    free(lock);
    return 0;
}
