/* A join with a time limit that came in time is a join: the thread cannot be joined again. */
#define _GNU_SOURCE

#include <pthread.h>
#include <time.h>

static void *nothing(void *arg) {
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec soon = { 0, 0 };
    pthread_create(&thread, 0, nothing, 0);
    pthread_timedjoin_np(thread, 0, &soon);
    pthread_join(thread, 0);
    return 0;
}
