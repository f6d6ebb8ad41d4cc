/* `sem_trywait` fails instead of waiting, and `sem_getvalue` tells the count. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int main(void)
{
    sem_t sem;
    int value = -1;
    sem_init(&sem, 0, 1);
    assert(sem_trywait(&sem) == 0);
    assert(sem_trywait(&sem) == -1);
    sem_post(&sem);
    sem_getvalue(&sem, &value);
    assert(value == 1);
    return 0;
}
