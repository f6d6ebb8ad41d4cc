// An initialiser sets the members of a local, not what lies between them.
#include <assert.h>

struct gap {
    char first;
    int second;
};

int main(void)
{
    struct gap gap = {0};
    assert(gap.second == 0);
    assert(((char *)&gap)[1] == 0);
    return 0;
}
