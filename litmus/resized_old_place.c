/* A pointer into the array is used after the array has grown. */
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(2 * sizeof *numbers), *last = &numbers[1];
    numbers = realloc(numbers, 3 * sizeof *numbers);
    *last = 6;
    free(numbers);
    return 0;
}
