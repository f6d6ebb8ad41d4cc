/* All accesses are valid and everything is freed. */
#include <stdlib.h>

int main(void)
{
    int *cells = calloc(3, sizeof *cells);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += cells[i];
    free(cells);
    return sum;
}
