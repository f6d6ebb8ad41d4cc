/* The order of two objects in memory is open. */
#include <assert.h>

static int a, b;

int main(void)
{
    int *p = &a, *q = &b;
    assert((unsigned long)p < (unsigned long)q || a == 1);
    return 0;
}
