/* What is weak and nowhere defined is null. */
#include <assert.h>

extern int hook(void) __attribute__((weak));
extern int level __attribute__((weak));
static int maybe(void) __attribute__((weakref("elsewhere")));

int main(void)
{
    assert(!hook);
    assert(&level == 0);
    assert(maybe == 0);
    if (hook)
        hook();
    return 0;
}
