// Tags in the low bits of a pointer lead to no other object.
#include <assert.h>
#include <stdint.h>
int x, y;
int main(void)
{
    int *p = &y;
    uintptr_t tagged = (uintptr_t)&x | 1;
    if (tagged & 1)
        *(int *)(tagged & ~(uintptr_t)3) = 1;
    assert(x == 1 && *p == 0);
    return 0;
}
