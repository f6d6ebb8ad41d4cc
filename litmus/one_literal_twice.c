/* One literal is one object, however often its address is taken. */
#include <assert.h>

static const char *name(void)
{
    return "text";
}

int main(void)
{
    const char *p = name(), *q = name();
    assert(p == q);
    assert(__func__ == __func__);
    return 0;
}
