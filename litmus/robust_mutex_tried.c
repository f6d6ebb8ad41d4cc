/* A robust mutex that nobody repairs may stay locked by a thread that tries it, as in glibc. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;

void *leave(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
    return 0;
}
