/* Which function it is, another one says before main. */
#include <assert.h>

static int slow(int x) { return x + 1; }
static int fast(int x) { return x + 2; }
static int (*choose(void))(int) { return sizeof(long) > 4 ? fast : slow; }
int step(int x) __attribute__((ifunc("choose")));

int main(void)
{
    assert(step(1) == (sizeof(long) > 4 ? 3 : 2));
    int (*p)(int) = step;
    assert(p(5) == step(5));
    return 0;
}
