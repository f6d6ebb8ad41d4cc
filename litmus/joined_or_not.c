/* A thread that is waited for until a time: either it has ended, or it may still run. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int value;

static void *worker(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_create(&thread, 0, worker, &value);
    void *result;
    int code = pthread_timedjoin_np(thread, &result, &until);
    if (code == 0)
        assert(value == 1 && result == &value);
    else
        assert(code == ETIMEDOUT);
    return 0;
}
