/* Recursive calls, each with locals of its own. */
#include <assert.h>

static int factorial(int n)
{
    int here = n;
    if (n <= 1)
        return 1;
    return factorial(n - 1) * here;
}

int main(void)
{
    assert(factorial(5) == 120);
    return 0;
}
