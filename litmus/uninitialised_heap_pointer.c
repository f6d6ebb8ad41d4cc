/* The same in memory that was not written. */
#include <assert.h>
#include <stdlib.h>

struct node { struct node *next; };

int main(void)
{
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    assert(first->next != second);
    free(first);
    free(second);
    return 0;
}
