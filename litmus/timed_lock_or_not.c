/* Whoever finds the mutex taken gets it later, or gives up: both happen. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon = { 1, 0 };
int shared, given_up;

void *other(void *unused) {
    if (pthread_mutex_timedlock(&mutex, &soon) == 0) {
        shared++;
        pthread_mutex_unlock(&mutex);
    } else {
        given_up = 1;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    assert(!given_up || shared == 2);
    return 0;
}
