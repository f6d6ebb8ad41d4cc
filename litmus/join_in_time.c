/* A join with a time limit may come in time or not, whatever the other thread does: it may have ended. */
#define _GNU_SOURCE

#include <assert.h>
#include <pthread.h>
#include <time.h>

static int result;

static void *write_it(void *arg) {
    result = 1;
    return arg;
}

static void *nothing(void *arg) {
    return arg;
}

int main(void) {
    pthread_t writer, other;
    struct timespec soon = { 0, 0 };
    pthread_create(&writer, 0, write_it, 0);
    pthread_create(&other, 0, nothing, 0);
    if (pthread_timedjoin_np(other, 0, &soon) == 0) {
        result = 2;
    }
    pthread_join(writer, 0);
    assert(result == 1);
    return 0;
}
