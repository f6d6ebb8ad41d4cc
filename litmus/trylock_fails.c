/* `pthread_mutex_trylock` can find the mutex busy: both threads need not succeed. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *first(void *arg)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        x++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *second(void *arg) { return first(arg); }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
