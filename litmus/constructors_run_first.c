/* Constructors run before main, those with a priority first, then in the order of the text. */
#include <assert.h>

static int order;
static int late, early, second;

__attribute__((constructor)) static void without_priority(void) { late = ++order; }
__attribute__((constructor(101))) static void with_priority(void) { early = ++order; }
[[gnu::constructor]] static void without_priority_too(void) { second = ++order; }

int main(void)
{
    assert(early == 1);
    assert(late == 2);
    assert(second == 3);
    return 0;
}
