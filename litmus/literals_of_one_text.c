/* String literals of one text need not be one object. */
#include <assert.h>

int main(void)
{
    const char *p = "text", *q = "text";
    assert(p == q);
    return 0;
}
