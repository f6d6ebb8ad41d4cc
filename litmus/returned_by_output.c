/* A function that writes says what it has written, or that it has failed. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    int c = putchar('a');
    assert(c == 'a' || c == EOF);
    return 0;
}
