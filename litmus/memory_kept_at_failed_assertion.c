/* The same with a local that is alive where the assertion fails: it still knows the memory. */
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = __VERIFIER_nondet_int();
    assert(*p != 7);
    free(p);
    return 0;
}
