/* Work in two phases without a barrier: each thread computes its cell, then reads its neighbour's.
 *
 * Nothing makes a thread wait until the neighbour is done with the first phase.
 *
 *     mazurka check examples/phases.c                    unsafe
 *     mazurka check --property race examples/phases.c    unsafe
 *
 * phases_fixed.c has a barrier between the phases.
 */
#include <assert.h>
#include <pthread.h>

static int cell[2];

static void *worker(void *arg)
{
    long me = (long)arg;
    cell[me] = 10;
    assert(cell[1 - me] == 10);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
