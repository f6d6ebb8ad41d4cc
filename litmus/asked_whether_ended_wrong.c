/* Whether the thread has ended was asked, but not looked at. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int value;

static void *worker(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_tryjoin_np(thread, 0);
    assert(value == 1);
    return 0;
}
