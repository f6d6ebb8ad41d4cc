/* Floating point follows IEEE, not integers. */
#include <assert.h>

int main(void)
{
    double third = 1.0 / 3.0;
    float narrow = 0.1f;
    assert(third * 3.0 == 1.0);
    assert((double)narrow != 0.1);
    assert((int)-2.7 == -2);
    assert(7 / 2 * 1.0 == 3.0);
    return 0;
}
