/* All values of a `_Bool` are tried, so that this is a proof. */
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    _Bool a = __VERIFIER_nondet_bool();
    _Bool b = __VERIFIER_nondet_bool();
    assert((a && b) == !(!a || !b));
    return 0;
}
