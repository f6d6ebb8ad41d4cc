/* Nobody waits for the thread before the process ends and its last function runs. */
#include <pthread.h>
#include <stdlib.h>

static int shared;

static void last(void) {
    shared = 0;
}

static void *worker(void *unused) {
    (void)unused;
    shared = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    atexit(last);
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
