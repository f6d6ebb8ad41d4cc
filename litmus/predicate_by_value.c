/* Any number but 0 means yes. */
#include <assert.h>
#include <ctype.h>

int main(void) {
    int digit = (isdigit)('5');
    assert(digit == 1);
    return 0;
}
