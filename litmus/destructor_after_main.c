/* A destructor runs after main, the last one first, and sees what main did. */
#include <assert.h>

static int x;

__attribute__((destructor)) static void last(void) { assert(x != 2); }
__attribute__((destructor)) static void first(void) { x++; }

int main(void)
{
    x = 1;
    return 0;
}
