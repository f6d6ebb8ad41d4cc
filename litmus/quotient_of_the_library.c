/* `div` divides as `/` does: the quotient may not fit. */
#include <limits.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    div_t result = div(INT_MIN, __VERIFIER_nondet_bool() ? -1 : -2);
    return result.rem;
}
