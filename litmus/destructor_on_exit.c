/* `exit` runs the destructors, `_exit` does not. */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int x;

__attribute__((destructor)) static void check(void) { assert(x == 1); }

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    if (__VERIFIER_nondet_int())
        _exit(0);
    x = 1;
    exit(0);
}
