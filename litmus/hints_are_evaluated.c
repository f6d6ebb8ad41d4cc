/* Arguments that only give hints are evaluated nevertheless; operands of `sizeof` and the like are not. */
#include <assert.h>

static int n;
static int order(void) { n++; return __ATOMIC_SEQ_CST; }

int main(void)
{
    int x = 0;
    assert(__builtin_expect(x == 0, (n++, 1)) && n == 1);
    __builtin_prefetch((n++, &x));
    assert(n == 2);
    __atomic_store_n(&x, 1, order());
    assert(n == 3);
    assert(__atomic_load_n(&x, order()) == 1 && n == 4);
    assert(__builtin_constant_p(n++) == 0 && sizeof(n++) == 4 && n == 4);
    __atomic_thread_fence(order());
    assert(n == 5);
    int *p = __builtin_assume_aligned((n++, &x), 4);
    assert(p == &x && n == 6);
    return 0;
}
