/* Objects without size may be at one place. */
#include <assert.h>

struct empty {};
static struct empty a, b;

int main(void)
{
    struct empty *p = &a, *q = &b;
    assert(p != q);
    return 0;
}
