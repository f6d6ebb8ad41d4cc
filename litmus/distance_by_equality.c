/* Who counts until one address is another knows how far apart the objects are. */
#include <assert.h>
#include <stdint.h>

static int one, two;

int main(void)
{
    unsigned long steps = 0;
    while (steps < 64 && (uintptr_t)&one + steps != (uintptr_t)&two)
        steps++;
    assert(steps < 64);
    return 0;
}
