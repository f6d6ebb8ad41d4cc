/* What is an address or a number, by chance, tells the number when it is compared with another address. */
#include <assert.h>
#include <stdint.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

static int one, two;

int main(void)
{
    unsigned long number = __VERIFIER_nondet_ulong();
    uintptr_t either = __VERIFIER_nondet_bool() ? (uintptr_t)&one : number;
    if (either == (uintptr_t)&two)
        assert(number < 0x100000);
    return 0;
}
