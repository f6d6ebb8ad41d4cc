// A number that starts at the address of one object is moved until it is that of another.
#include <assert.h>
#include <stdint.h>
int from, to;
int main(void)
{
    uintptr_t goal = (uintptr_t)&to, at = (uintptr_t)&from;
    while (at != goal)
        at += at < goal ? 1 : -1;
    *(int *)at = 1;
    assert(to == 0);
    return 0;
}
