/* The atomic built-ins of GCC, old and new. */
#include <assert.h>

int main(void)
{
    int x = 1, expected = 5;
    assert(__sync_fetch_and_add(&x, 2) == 1);
    assert(__sync_add_and_fetch(&x, 2) == 5);
    assert(__sync_bool_compare_and_swap(&x, 5, 6));
    assert(__sync_val_compare_and_swap(&x, 5, 7) == 6);
    assert(!__atomic_compare_exchange_n(&x, &expected, 9, 0, 5, 5));
    assert(expected == 6);
    assert(__atomic_exchange_n(&x, 10, 5) == 6);
    assert(__atomic_sub_fetch(&x, 3, 5) == 7);
    assert(__atomic_fetch_or(&x, 8, 5) == 7);
    assert(__atomic_load_n(&x, 5) == 15);
    __atomic_store_n(&x, 2, 5);
    assert(x == 2);
    return 0;
}
