/* A number from a table may happen to be the address of something. */
#include <assert.h>
#include <stdint.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int object;
static uintptr_t numbers[2] = { 0x404040, 0x505050 };

int main(void)
{
    assert(numbers[__VERIFIER_nondet_bool()] != (uintptr_t)&object);
    return 0;
}
