// A number becomes a pointer without a cast.
#include <assert.h>
#include <stdint.h>
union both {
    uintptr_t number;
    int *pointer;
};
int x;
int main(void)
{
    union both it;
    it.number = 0;
    while (it.number != (uintptr_t)&x)
        it.number += 16;
    *it.pointer = 1;
    assert(x == 0);
    return 0;
}
