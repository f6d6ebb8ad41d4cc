/* Double-checked locking done right: the data is written first, and the flag is atomic, so whoever
 * sees it raised also sees the data.
 *
 *     mazurka check examples/double_checked_locking_fixed.c                    safe
 *     mazurka check --property race examples/double_checked_locking_fixed.c    safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready = 0;
static int config = 0;

static int get_config(void)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&ready)) {
            config = 42;
            atomic_store(&ready, 1);
        }
        pthread_mutex_unlock(&lock);
    }
    return config;
}

static void *user(void *arg)
{
    (void)arg;
    assert(get_config() == 42);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, user, NULL);
    pthread_create(&second, NULL, user, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
