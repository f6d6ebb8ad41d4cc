/* A timed wait for a semaphore that nobody posts ends all the same. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int main(void)
{
    sem_t sem;
    struct timespec until = {1, 0};
    sem_init(&sem, 0, 0);
    assert(sem_timedwait(&sem, &until) == -1);
    return 0;
}
