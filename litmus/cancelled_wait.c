/* A thread that waits is cancelled: it has the lock again when its handler runs, and has ended when it is joined. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, cleaned;

static void clean_up(void *mutex) {
    cleaned++;
    pthread_mutex_unlock(mutex);
}

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(clean_up, &lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&lock);
    assert(cleaned == 1);
    pthread_mutex_unlock(&lock);
    return 0;
}
