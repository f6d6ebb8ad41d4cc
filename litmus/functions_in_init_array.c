/* Pointers to functions in the section of constructors are called, too. */
#include <assert.h>

static int steps[4], next = 1;

static void zero(void) { steps[0] = next++; }
static void one(void) { steps[1] = next++; }
static void two(void) { steps[2] = next++; }

__attribute__((section(".init_array"), used)) static void (*entry)(void) = one;
__attribute__((section(".init_array"), used)) static void (*other_entry[])(void) = {two};
__attribute__((section(".preinit_array"), used)) static void (*before)(void) = zero;

int main(void)
{
    assert(steps[0] == 1);
    assert(steps[1] == 2);
    assert(steps[2] == 3);
    return 0;
}
