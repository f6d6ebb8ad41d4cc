/* Whoever meets one spurious failure waits for ever. */
#include <stdatomic.h>

static atomic_int x;

int main(void)
{
    int expected = 0;
    if (!atomic_compare_exchange_weak(&x, &expected, 1))
        while (x == 0)
            ;
    return 0;
}
