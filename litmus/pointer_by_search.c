// The same with a pointer, which leaves its object on the way.
#include <assert.h>
char from[4], to[4];
int main(void)
{
    char *at = from;
    while (at != to)
        at += at < to ? 1 : -1;
    *at = 1;
    assert(to[0] == 0);
    return 0;
}
