/* Whoever holds a mutex need not wait for it until a time. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    struct timespec past = { 0, 0 };
    pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&recursive);
    assert(pthread_mutex_clocklock(&recursive, CLOCK_REALTIME, &past) == 0);
    pthread_mutex_lock(&checking);
    assert(pthread_mutex_timedlock(&checking, &past) == EDEADLK);
    return 0;
}
