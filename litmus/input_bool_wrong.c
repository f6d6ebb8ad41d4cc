/* One of the values of a `_Bool` is the wrong one. */
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    _Bool a = __VERIFIER_nondet_bool();
    assert(!a);
    return 0;
}
