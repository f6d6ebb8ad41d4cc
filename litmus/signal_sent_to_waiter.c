/* A signal that every thread holds back is sent to one that waits for it. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int got;

static void *waiter(void *set) {
    sigwait(set, &got);
    return 0;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, waiter, &set);
    pthread_kill(thread, SIGINT);
    pthread_join(thread, 0);
    assert(got == SIGINT);
    return 0;
}
