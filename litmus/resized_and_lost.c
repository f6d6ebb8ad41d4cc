/* The array that has grown is never freed. */
#include <stdlib.h>

static void grow(void) {
    char *text = malloc(2);
    text = realloc(text, 3);
    text[2] = 0;
}

int main(void) {
    grow();
    return 0;
}
