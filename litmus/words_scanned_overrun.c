/* The format allows more characters than there is room for. */
#include <stdio.h>

int main(void) {
    char name[4];
    if (scanf("%5s", name) == 1)
        putchar(name[0]);
    return 0;
}
