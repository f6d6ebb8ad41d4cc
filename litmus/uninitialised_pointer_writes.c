/* What is written through an uninitialised pointer that is an address is written there. Other addresses are open. */
#include <assert.h>

static int x;

int main(void)
{
    int *p;
    if (p == &x) {
        *p = 1;
        assert(x == 1);
    }
    return 0;
}
