/* Either of two objects may be the first in memory; that it is `a` is possible. */
#include <assert.h>

int __VERIFIER_nondet_int(void);
static int a[2], b[2];

int main(void)
{
    int *p = __VERIFIER_nondet_int() ? a : b;
    int *q = __VERIFIER_nondet_int() ? a : b;
    assert(!(p < q));
    return 0;
}
