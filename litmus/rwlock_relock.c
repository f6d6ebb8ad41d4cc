/* A writer that asks for its lock again is told so. */
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_wrlock(&lock);
    int result = pthread_rwlock_rdlock(&lock);
    assert(result == 0);
    return 0;
}
