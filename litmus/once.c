/* `pthread_once` runs its routine once, and everybody waits until it is done. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls, value;

static void initialise(void)
{
    calls++;
    value = 5;
}

static void *first(void *arg)
{
    pthread_once(&once, initialise);
    assert(calls == 1 && value == 5);
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
    return 0;
}
