/* Assembly without instructions only keeps the compiler from knowing too much. */
#include <assert.h>

int main(void)
{
    int x = 3, y;
    asm volatile("" ::: "memory");
    asm volatile("" : "+r"(x));
    assert(x == 3);
    asm("" : "=r"(y) : "0"(x + 1));
    assert(y == 4);
    asm volatile("pause");
    return 0;
}
