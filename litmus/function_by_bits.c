// A function is called by an address that is put together from bits.
#include <assert.h>
#include <stdint.h>
int x;
static void set(void)
{
    x = 1;
}
int main(void)
{
    uintptr_t address = (uintptr_t)set, rebuilt = 0;
    for (int bit = 0; bit < 64; bit++)
        if (address >> bit & 1)
            rebuilt |= (uintptr_t)1 << bit;
    ((void (*)(void))rebuilt)();
    assert(x == 0);
    return 0;
}
