/* The locals of two calls may have the same address, or not. */
#include <assert.h>

static int *leak(void)
{
    int here;
    int *p = &here;
    return p;
}

int main(void)
{
    int *first = leak();
    int *second = leak();
    assert(first != second);
    return 0;
}
