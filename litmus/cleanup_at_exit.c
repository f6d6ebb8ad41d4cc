/* Cleanup handlers run where a thread ends itself, the last one first, also those of the functions that called. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void unlock(void *mutex) {
    order = order * 10 + 1;
    pthread_mutex_unlock(mutex);
}

static void note(void *digit) {
    order = order * 10 + *(int *)digit;
}

static void leave(int digit) {
    pthread_cleanup_push(note, &digit);
    if (digit == 2) {
        pthread_exit(0);
    }
    pthread_cleanup_pop(0);
}

static void *worker(void *digit) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    leave(*(int *)digit);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void) {
    pthread_t thread;
    int first = 2, second = 3;
    pthread_create(&thread, 0, worker, &first);
    pthread_join(thread, 0);
    assert(order == 21);
    worker(&second);
    assert(order == 211);
    return 0;
}
