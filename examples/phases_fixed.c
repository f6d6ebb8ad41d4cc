/* Work in two phases with a barrier: nobody reads before both have written.
 *
 *     mazurka check examples/phases_fixed.c                        safe
 *     mazurka check --property race examples/phases_fixed.c        safe
 *     mazurka check --property deadlock examples/phases_fixed.c    safe
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t between;
static int cell[2];

static void *worker(void *arg)
{
    long me = (long)arg;
    cell[me] = 10;
    pthread_barrier_wait(&between);
    assert(cell[1 - me] == 10);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&between, NULL, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
