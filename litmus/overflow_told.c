/* Built-ins that tell of an overflow, with operands of several types. */
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

int main(void) {
    size_t size = 8;
    long wide;
    unsigned char small = 200;
    int sum;
    assert(!__builtin_add_overflow(size, 1, &size) && size == 9);
    assert(__builtin_mul_overflow(SIZE_MAX, 2, &size));
    assert(!__builtin_mul_overflow(small, 2, &sum) && sum == 400);
    assert(__builtin_saddl_overflow(LONG_MAX, 1, &wide));
    assert(!__builtin_ssub_overflow(3, 5, &sum) && sum == -2);
    assert(__builtin_usub_overflow(3, 5, (unsigned *)&sum));
    assert(__builtin_smulll_overflow(LLONG_MAX, 2, (long long *)&wide));
    return 0;
}
