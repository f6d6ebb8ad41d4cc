/* A `_Bool` that is defined elsewhere is 0 or 1. */
#include <assert.h>

extern _Bool flags[4];

int main(void) {
    int flag = flags[3];
    assert(flag == 0 || flag == 1);
    return 0;
}
