/* A count that does not fit where `%hhn` puts it may be negative. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    signed char count = 0;
    printf("%200d%hhn", 5, &count);
    assert(count >= 0);
    return 0;
}
