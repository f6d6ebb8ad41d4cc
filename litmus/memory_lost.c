/* The only pointer to a heap object is overwritten. */
#include <stdlib.h>

int main(void)
{
    int *cell = malloc(sizeof *cell);
    cell = 0;
    return cell != 0;
}
