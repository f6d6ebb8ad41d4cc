/* Threads that hold signals back. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *worker(void *unused) {
    (void)unused;
    sigset_t all;
    sigfillset(&all);
    assert(pthread_sigmask(SIG_BLOCK, &all, 0) == 0);
    assert(pthread_sigmask(SIG_UNBLOCK, &all, 0) == 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
