/* `div` divides as `/` does: here the quotient fits. */
#include <limits.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    div_t result = div(INT_MIN, n < -1 ? n : -2);
    return result.rem;
}
