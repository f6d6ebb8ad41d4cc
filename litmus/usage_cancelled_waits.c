/* Threads that are cancelled while they wait: on a condition variable, which nobody waits on then; for a semaphore; for another
   thread, which can be joined still. */

#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;
static pthread_t first;

static void unlock(void *arg) {
    pthread_mutex_unlock(arg);
}

static void *wait_on_condition(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    for (;;) {
        pthread_cond_wait(&never, &m);
    }
    pthread_cleanup_pop(0);
    return arg;
}

static void *wait_for_thread(void *arg) {
    pthread_join(first, 0);
    return arg;
}

static void *wait_for_semaphore(void *arg) {
    sem_wait(&none);
    return arg;
}

int main(void) {
    void *result;
    pthread_t other;
    pthread_create(&first, 0, wait_on_condition, 0);
    pthread_create(&other, 0, wait_for_thread, 0);
    pthread_cancel(other);
    pthread_join(other, &result);
    pthread_cancel(first);
    if (result == PTHREAD_CANCELED) {
        pthread_join(first, 0);
        pthread_cond_destroy(&never);
        pthread_mutex_destroy(&m);
    }
    sem_init(&none, 0, 0);
    pthread_create(&other, 0, wait_for_semaphore, 0);
    pthread_cancel(other);
    pthread_join(other, 0);
    sem_destroy(&none);
    return 0;
}
