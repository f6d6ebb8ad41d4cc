/* A constant object is written through a pointer. */
#include <assert.h>

static const int limits[2] = { 1, 2 };

static void raise(int *limit) { *limit = 5; assert(0); }

int main(void)
{
    raise((int *)&limits[1]);
    return 0;
}
