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

static unsigned next(void)
{
    static unsigned state;
    static int begun;
    const char *seed = getenv("MAZURKA_SEED");
    if (!begun)
        state = seed ? (unsigned)atoi(seed) : 0;
    begun = 1;
    state = state * 1103515245u + 12345u;
    return state >> 16;
}
__attribute__((weak)) void reach_error(void) { _exit(42); }
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
__attribute__((weak)) _Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
#define INPUT(name, type) \
    __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)(next() % 5); }
INPUT(char, char) INPUT(uchar, unsigned char) INPUT(short, short) INPUT(ushort, unsigned short)
INPUT(int, int) INPUT(uint, unsigned) INPUT(long, long) INPUT(ulong, unsigned long)
INPUT(longlong, long long) INPUT(ulonglong, unsigned long long)
