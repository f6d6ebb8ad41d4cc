/* Literals of different texts are at different places, unless one ends as the other does. */
#include <assert.h>

int main(void)
{
    const char *p = "text", *q = "test";
    assert(p != q);
    return 0;
}
