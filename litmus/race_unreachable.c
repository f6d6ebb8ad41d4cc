/* The two accesses would race, but no execution has them both. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int chosen;
static int x;

static void *first(void *arg)
{
    if (atomic_exchange(&chosen, 1) == 0)
        x = 1;
    return arg;
}

static void *second(void *arg)
{
    if (atomic_exchange(&chosen, 1) == 0)
        x = 2;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 1 || x == 2);
    return 0;
}
