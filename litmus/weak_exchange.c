/* A weak compare-exchange may fail although it finds what it expects. */
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void)
{
    int expected = 0;
    assert(atomic_compare_exchange_weak(&x, &expected, 1));
    return 0;
}
