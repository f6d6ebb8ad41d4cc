/* But they may be. */
#include <assert.h>

int main(void)
{
    const char *p = "text", *q = "text";
    assert(p != q);
    return 0;
}
