/* What compiled programs run with that tell their values: `check` writes, `input` is what it is
   asked to be, and inputs are small numbers that the environment chooses. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void check(long long value)
{
    char text[40];
    int length = snprintf(text, sizeof text, "\001%lld\002", value);
    if (write(1, text, length) != length)
        _exit(3);
}
int input(int value) { return value; }

/* Threads draw without a race of their own, and without an order that would hide one of the program's. */
static unsigned next(void)
{
    static unsigned drawn;
    const char *seed = getenv("MAZURKA_SEED");
    unsigned number = __atomic_add_fetch(&drawn, 1, __ATOMIC_RELAXED);
    number += 0x9e3779b9u * (seed ? (unsigned)atoi(seed) : 0);
    number = (number ^ number >> 16) * 0x85ebca6bu;
    number = (number ^ number >> 13) * 0xc2b2ae35u;
    return number >> 16;
}
__attribute__((weak)) void reach_error(void) { _exit(42); }
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
__attribute__((weak)) _Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
#define INPUT(name, type) \
    __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)(next() % 5); }
INPUT(char, char) INPUT(uchar, unsigned char) INPUT(short, short) INPUT(ushort, unsigned short)
INPUT(int, int) INPUT(uint, unsigned) INPUT(long, long) INPUT(ulong, unsigned long)
INPUT(longlong, long long) INPUT(ulonglong, unsigned long long)
