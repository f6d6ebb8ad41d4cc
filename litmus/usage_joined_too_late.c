/* A join with a time limit that came too late has joined nobody. */
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
    if (pthread_timedjoin_np(thread, 0, &soon) != 0) {
        pthread_join(thread, 0);
    }
    return 0;
}
