/* Double-checked locking done wrong: the flag is raised before the data is there.
 *
 * A second thread that looks at `ready` without the lock sees it raised, skips the lock and reads
 * `config` before the first thread has written it.
 *
 *     mazurka check examples/double_checked_locking.c                    unsafe
 *     mazurka check --property race examples/double_checked_locking.c    unsafe
 *
 * double_checked_locking_fixed.c writes the data first and makes the flag atomic.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready = 0;
static int config = 0;

static int get_config(void)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            ready = 1;
            config = 42;
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
