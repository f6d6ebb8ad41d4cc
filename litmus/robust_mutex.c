/* A thread ends with a robust mutex locked: the next owner is told, and repairs it. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;
int x;

void *leave(void *unused) {
    pthread_mutex_lock(&mutex);
    x = 1;
    return unused;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    int result = pthread_mutex_lock(&mutex);
    if (result == EOWNERDEAD) {
        assert(x == 1);
        assert(pthread_mutex_consistent(&mutex) == 0);
    } else {
        assert(result == 0 && x == 0);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    result = pthread_mutex_lock(&mutex);
    assert(result == 0 || result == EOWNERDEAD);
    return 0;
}
