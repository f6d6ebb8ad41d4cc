/* Only some values of an `int` are tried: without a bug found, nothing is known. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    assert(a != 123456789 || a - 123456789 == 0);
    return 0;
}
