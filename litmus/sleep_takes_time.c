/* Who sleeps finds the clocks later, also if another thread looks at them. */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *other(void *arg)
{
    time(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    struct timespec before, after;
    pthread_create(&thread, 0, other, 0);
    clock_gettime(CLOCK_MONOTONIC, &before);
    sleep(60);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec >= 60);
    after.tv_sec += 100;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &after, 0);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert(before.tv_sec >= after.tv_sec);
    pthread_join(thread, 0);
    return 0;
}
