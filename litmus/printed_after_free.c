/* Printing a string reads it, and it is not there any more. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *text = malloc(2);
    text[0] = 'a';
    text[1] = 0;
    puts(text);
    free(text);
    fputs(text, stdout);
    return 0;
}
