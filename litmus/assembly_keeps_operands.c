/* Instructions that wait or order accesses leave their operands alone. */
#include <assert.h>

static int x = 1;

int main(void) {
    int local = 2;
    __asm__ volatile("mfence" : "+m"(x) : : "memory");
    __asm__ volatile("pause" : "+r"(local));
    assert(x == 1 && local == 2);
    return 0;
}
