/* Alignment of variables, of members and through names of types. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

typedef int loose __attribute__((aligned(1)));
typedef int tight __attribute__((aligned(16)));
struct a { char c; loose x; };
struct b { char c; tight x; };
struct c { char c; int x __attribute__((packed)); _Alignas(8) char d; };
enum __attribute__((packed)) small { FIRST, LAST = 200 };

static int global __attribute__((aligned(64)));

int main(void)
{
    _Alignas(32) char local[3];
    assert(offsetof(struct a, x) == 1 && sizeof(struct a) == 5);
    assert(offsetof(struct b, x) == 16 && sizeof(struct b) == 32);
    assert(offsetof(struct c, x) == 1 && offsetof(struct c, d) == 8);
    assert(sizeof(enum small) == 1 && _Alignof(tight) == 16);
    assert((uintptr_t)&global % 64 == 0);
    assert((uintptr_t)local % 32 == 0);
    assert(_Alignof(global) == 64);
    return 0;
}
