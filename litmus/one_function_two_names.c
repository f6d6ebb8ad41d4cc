/* An alias is the same function, or the same object. */
#include <assert.h>

static int calls;
int count(void) { return ++calls; }
int other(void) __attribute__((alias("count")));
int third(void);
#pragma weak third = count

int value = 1;
extern int same_value __attribute__((alias("value")));

int main(void)
{
    assert(count == other && other == third);
    assert(other() == 1 && third() == 2);
    same_value = 5;
    assert(value == 5 && &value == &same_value);
    return 0;
}
