/* N threads add one to a counter three times each, by reading it and writing it back, without a lock. The Promela
 * model increments.pml is its counterpart: both have one step for each access to the counter. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
#define ROUNDS 3

static unsigned char counter;

static void *process(void *arg)
{
    for (unsigned char round = 0; round < ROUNDS; round++) {
        unsigned char seen = counter;
        counter = seen + 1;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, process, 0);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    assert(counter <= N * ROUNDS);
    return 0;
}
