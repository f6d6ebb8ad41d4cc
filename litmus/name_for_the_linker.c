/* An `asm` name is what the linker knows. */
#include <assert.h>

int one(void) { return 1; }
int two(void) __asm__("one");
extern int counter __asm__("total");
int total = 4;
#pragma redefine_extname three one
int three(void);

int main(void)
{
    assert(two() == 1 && three() == 1);
    counter++;
    assert(total == 5);
    return 0;
}
