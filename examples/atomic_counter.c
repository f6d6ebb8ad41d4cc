/* An atomic variable does not make an increment atomic: load and store are two steps.
 *
 * There is no data race here, yet an update is lost.
 *
 *     mazurka check examples/atomic_counter.c                    unsafe
 *     mazurka check --property race examples/atomic_counter.c    safe
 *
 * atomic_counter_fixed.c adds in one step.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter = 0;

static void *increment(void *arg)
{
    (void)arg;
    atomic_store(&counter, atomic_load(&counter) + 1);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}
