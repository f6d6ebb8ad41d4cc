/* The destructor of thread-specific data runs at the end of the thread that set it. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int destroyed, cell;

static void destroy(void *value) { destroyed += *(int *)value; }

static void *worker(void *arg)
{
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, arg);
    assert(pthread_getspecific(key) == arg);
    return 0;
}

int main(void)
{
    pthread_t thread;
    cell = 3;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, worker, &cell);
    pthread_join(thread, 0);
    assert(pthread_getspecific(key) == 0);
    assert(destroyed == 3);
    return 0;
}
