/* The lost update: two threads increment a counter without a lock.
 *
 * `counter++` reads the counter, adds one and writes it back. When both threads read the old value
 * before either writes, one increment is lost and the assertion fails.
 *
 *     mazurka check examples/lost_update.c                    unsafe: the assertion fails
 *     mazurka check --property race examples/lost_update.c    unsafe: the two accesses race
 *
 * lost_update_fixed.c holds a mutex round the increment.
 */
#include <assert.h>
#include <pthread.h>

static int counter = 0;

static void *increment(void *arg)
{
    (void)arg;
    counter++;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
