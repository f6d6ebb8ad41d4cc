/* A node from the heap goes from one thread to another, which frees it. */
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
    struct node *next;
};
static struct node *_Atomic slot;

static void *first(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->value = 9;
    node->next = 0;
    slot = node;
    return arg;
}

static void *second(void *arg)
{
    struct node *node = slot;
    if (node) {
        assert(node->value == 9 && !node->next);
        slot = 0;
        free(node);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(slot);
    return 0;
}
