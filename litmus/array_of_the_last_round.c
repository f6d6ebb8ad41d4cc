/* An array of variable length may be where that of the last round was. */
#include <assert.h>

int main(void)
{
    char *last = 0;
    for (int round = 1; round < 3; round++) {
        char array[round];
        array[0] = 1;
        assert(last != array);
        last = array;
    }
    return 0;
}
