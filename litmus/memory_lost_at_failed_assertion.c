/* A failed assertion ends the process, and with it the memory is lost that only a dead local knew. */
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static void forget(void)
{
    int *p = malloc(sizeof *p);
    *p = 0;
}

int main(void)
{
    if (__VERIFIER_nondet_int() == 7) {
        forget();
        assert(0);
    }
    return 0;
}
