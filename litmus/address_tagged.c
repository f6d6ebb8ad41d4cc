/* The lowest bit of an aligned address is free for a mark; pointers into one array are ordered. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int cells[3];

int main(void)
{
    int *cell = malloc(sizeof *cell);
    *cell = 7;
    uintptr_t marked = (uintptr_t)cell | 1;
    assert(marked & 1);
    assert(*(int *)(marked & ~(uintptr_t)1) == 7);
    int count = 0;
    for (int *p = cells; p < cells + 3; p++)
        count++;
    assert(count == 3);
    free(cell);
    return 0;
}
