/* The ABA problem: the memory of a node that was taken off the stack is given out again, so that
   the compare-and-swap of a thread that still remembers the old node succeeds. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *below; };

static struct node *_Atomic top;
static struct node *second;

static void *pop(void *arg)
{
    struct node *seen = top;
    struct node *below = seen ? seen->below : 0;
    if (seen)
        atomic_compare_exchange_strong(&top, &seen, below);
    return arg;
}

int main(void)
{
    pthread_t thread;
    struct node *first = malloc(sizeof *first);
    second = malloc(sizeof *second);
    second->below = 0;
    first->below = second;
    top = first;
    pthread_create(&thread, 0, pop, 0);
    struct node *expected = first;
    if (!atomic_compare_exchange_strong(&top, &expected, 0))
        return 0;
    free(first);
    struct node *third = malloc(sizeof *third);
    third->below = 0;
    top = third;
    pthread_join(thread, 0);
    assert(top != second);
    return 0;
}
