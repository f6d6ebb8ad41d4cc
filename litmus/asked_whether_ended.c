/* A thread that is joined if it has ended: until then, it may still run. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int value;

static void *worker(void *unused) {
    value = 1;
    return &value;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    int code = pthread_tryjoin_np(thread, &result);
    if (code == 0)
        assert(value == 1 && result == &value);
    else
        assert(code == EBUSY);
    return 0;
}
