// The address of x is put together from its bits, which only conditions have looked at.
#include <assert.h>
#include <stdint.h>
int x;
int main(void)
{
    uintptr_t address = (uintptr_t)&x, rebuilt = 0;
    for (int bit = 0; bit < 64; bit++)
        if (address >> bit & 1)
            rebuilt |= (uintptr_t)1 << bit;
    *(int *)rebuilt = 1;
    assert(x == 0);
    return 0;
}
