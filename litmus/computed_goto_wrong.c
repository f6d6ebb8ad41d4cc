/* Two threads choose where the third one jumps to; one of the ways leads to an error. */
#include <assert.h>
#include <pthread.h>

static int chosen;

static void *choose(void *which) {
    __atomic_store_n(&chosen, (int)(long)which, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    const int distances[] = { 0, &&second - &&first, &&third - &&first };
    pthread_t one, two;
    pthread_create(&one, 0, choose, (void *)1);
    pthread_create(&two, 0, choose, (void *)2);
    goto *(&&first + distances[__atomic_load_n(&chosen, __ATOMIC_SEQ_CST)]);
first:
    return 0;
second:
    return 0;
third:
    assert(0);
    return 0;
}
