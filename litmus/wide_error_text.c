/* The text of an error is as wide as the format says, at least. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    int length = snprintf(0, 0, "%9m");
    assert(length >= 9);
    return 0;
}
