// A jump inside a block keeps its objects, those declared behind the label too.
#include <assert.h>

int main(void)
{
    int turns = 0, *kept = 0;
again:;
    int inner = turns;
    if (kept)
        assert(*kept == 1);
    kept = &inner;
    if (turns++ == 0)
        goto again;
    return 0;
}
