/* Two ways to increment atomically: one operation that does it all, or compare-and-exchange that
 * tries again when somebody else came first.
 *
 *     mazurka check examples/atomic_counter_fixed.c                    safe
 *     mazurka check --property race examples/atomic_counter_fixed.c    safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter = 0;

static void *add(void *arg)
{
    (void)arg;
    atomic_fetch_add(&counter, 1);
    return NULL;
}

static void *compare_and_exchange(void *arg)
{
    (void)arg;
    int seen = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1))
        ;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, compare_and_exchange, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}
