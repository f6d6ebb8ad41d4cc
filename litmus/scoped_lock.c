/* A lock that the end of a block unlocks, also where the function returns early. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static pthread_mutex_t *take(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
    return m;
}

static void give(pthread_mutex_t **m) { pthread_mutex_unlock(*m); }

static void *work(void *arg)
{
    pthread_mutex_t *guard __attribute__((cleanup(give))) = take(&lock);
    if (x > 0)
        return 0;
    x++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
