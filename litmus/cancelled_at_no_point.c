/* A thread acts on a request only at a point of cancellation, and not while it has forbidden it. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t items;
static int done, destroyed;
static pthread_key_t key;

static void destroy(void *value) {
    __atomic_fetch_add(&destroyed, *(int *)value, __ATOMIC_SEQ_CST);
}

static void *steady(void *unused) {
    int before, now;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0);
    assert(before == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    pthread_setcancelstate(before, &now);
    assert(now == PTHREAD_CANCEL_DISABLE);
    return unused;
}

static void *waiting(void *value) {
    pthread_setspecific(key, value);
    sem_wait(&items);
    assert(0);
    return 0;
}

int main(void) {
    pthread_t first, second;
    void *result;
    int one = 1;
    pthread_key_create(&key, destroy);
    sem_init(&items, 0, 0);
    pthread_create(&first, 0, steady, 0);
    pthread_create(&second, 0, waiting, &one);
    pthread_cancel(first);
    pthread_cancel(second);
    pthread_join(first, &result);
    assert(result == 0 && __atomic_load_n(&done, __ATOMIC_SEQ_CST) == 1);
    pthread_join(second, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
