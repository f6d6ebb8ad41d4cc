/* `div` divides as `/` does: the quotient may not fit. */
#include <limits.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    div_t result = div(INT_MIN, n < 0 ? n : -2);
    return result.rem;
}
