/* The lost update, fixed: the increment holds a mutex, so no other thread comes between its read
 * and its write. In every interleaving the counter is 2 in the end.
 *
 *     mazurka check examples/lost_update_fixed.c                    safe
 *     mazurka check --property race examples/lost_update_fixed.c    safe
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter = 0;

static void *increment(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
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
