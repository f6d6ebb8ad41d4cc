/* Nobody knows what instructions leave in a variable. */
#include <assert.h>

int main(void)
{
    unsigned x = 3;
    asm volatile("rdtsc" : "=a"(x) : : "edx");
    assert(x == 3);
    return 0;
}
