/* The array is made smaller, and used as if it were not. */
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(2 * sizeof *numbers);
    numbers = realloc(numbers, sizeof *numbers);
    numbers[1] = 6;
    free(numbers);
    return 0;
}
