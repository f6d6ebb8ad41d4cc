/* An array that grows: its old contents are there, its old place is gone, and its end is where it should be. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(2 * sizeof *numbers);
    numbers[0] = 5;
    numbers[1] = 6;
    numbers = realloc(numbers, 3 * sizeof *numbers);
    numbers[2] = 7;
    assert(numbers[0] + numbers[1] + numbers[2] == 18);
    numbers = realloc(numbers, sizeof *numbers);
    assert(numbers[0] == 5);
    free(numbers);
    return 0;
}
