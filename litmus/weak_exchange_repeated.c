/* A weak compare-exchange that is repeated until it succeeds; it does not fail for ever. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *arg)
{
    int seen = x;
    while (!atomic_compare_exchange_weak(&x, &seen, seen + 1))
        ;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
