// An initialiser can give a flexible array elements.
#include <assert.h>

struct list {
    int length;
    int items[];
};

static struct list list = {2, {5, 6}};

int main(void)
{
    int sum = 0;
    for (int i = 0; i < list.length; i++)
        sum += list.items[i];
    assert(sum != 11);
    return 0;
}
