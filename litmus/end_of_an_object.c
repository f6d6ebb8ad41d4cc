/* Where one object ends, another one may begin. */
#include <assert.h>

int __VERIFIER_nondet_int(void);
static int a[2], b[2];

int main(void)
{
    int *end = a + (__VERIFIER_nondet_int() ? 2 : 1);
    assert(end != b);
    return 0;
}
