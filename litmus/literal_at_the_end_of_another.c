/* A literal may be the end of another one. */
#include <assert.h>

int main(void)
{
    const char *p = "context", *q = "text";
    assert(p + 3 != q);
    return 0;
}
