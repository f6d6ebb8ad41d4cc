/* A thread is cancelled while it joins another one, or joins it: whichever it is, the others go on in any order. */

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;
static pthread_t counted;

static void *count(void *arg) {
    second++;
    second = first + 1;
    first++;
    second++;
    return arg;
}

static void *join_it(void *arg) {
    second++;
    pthread_join(counted, 0);
    second += 8;
    second++;
    return arg;
}

int main(void) {
    pthread_t joins;
    void *result;
    pthread_create(&counted, 0, count, 0);
    pthread_create(&joins, 0, join_it, 0);
    second++;
    pthread_cancel(joins);
    pthread_join(joins, &result);
    assert(result == PTHREAD_CANCELED || (first == 1 && second > 9));
    return 0;
}
