/* A pointer that walks to the end of one array may then be the start of another. */
#include <assert.h>

static int one[4], two[4];

int main(void)
{
    int *at = one;
    while (at < one + 4)
        at++;
    assert(at != two);
    return 0;
}
