/* The same with a pointer that still knows the memory. */
#include <assert.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);
static int *p;

int main(void)
{
    p = malloc(sizeof *p);
    if (__VERIFIER_nondet_bool())
        assert(0);
    free(p);
    return 0;
}
