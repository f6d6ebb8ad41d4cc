/* A lock that is free is taken, however late it is; one that is not may be waited for in vain. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
mtx_t other;
sem_t semaphore;
struct timespec past;

int main(void) {
    mtx_init(&other, mtx_timed);
    sem_init(&semaphore, 0, 1);
    assert(pthread_mutex_timedlock(&mutex, &past) == 0);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    assert(pthread_rwlock_timedrdlock(&lock, &past) == 0);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
    assert(mtx_timedlock(&other, &past) == thrd_success);
    assert(mtx_timedlock(&other, &past) == thrd_timedout);
    assert(sem_timedwait(&semaphore, &past) == 0);
    assert(sem_timedwait(&semaphore, &past) == -1 && errno == ETIMEDOUT);
    return 0;
}
