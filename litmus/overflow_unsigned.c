/* Unsigned arithmetic wraps, which is no overflow. */
#include <assert.h>

int main(void)
{
    unsigned x = 4294967295u;
    x++;
    assert(x == 0);
    return 0;
}
