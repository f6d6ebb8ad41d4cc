/* An uninitialised pointer may be the address of anything, and then it is one. */
#include <assert.h>

static int x;

int main(void)
{
    int *p;
    if (p == &x) {
        *p = 1;
        assert(x == 0);
    }
    return 0;
}
