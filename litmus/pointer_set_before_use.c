// Uninitialised pointers that are set before they are used hold nothing else.
#include <assert.h>
#include <stdlib.h>
struct node {
    struct node *next;
    int *value;
};
int x, y;
int main(void)
{
    int *p;
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    node->value = &y;
    p = node->value;
    if (p != &x)
        *p = 1;
    if (node->next != 0)
        *node->next->value = 1;
    assert(x == 0);
    free(node);
    return 0;
}
