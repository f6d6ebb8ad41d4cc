/* A stack whose head has a tag, so that a node that comes back is not mistaken for the one that was there. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct node {
    struct node *next;
};

struct head {
    struct node *first;
    uintptr_t tag;
} __attribute__((aligned(16)));

static struct head stack;
static struct node nodes[2];

static void push(struct node *node) {
    struct head old, new;
    __atomic_load(&stack, &old, __ATOMIC_SEQ_CST);
    do {
        node->next = old.first;
        new.first = node;
        new.tag = old.tag + 1;
    } while (!__atomic_compare_exchange(&stack, &old, &new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

static void *worker(void *node) {
    push(node);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, &nodes[0]);
    push(&nodes[1]);
    pthread_join(thread, 0);
    assert(stack.tag == 2);
    assert(stack.first && stack.first->next && !stack.first->next->next);
    return 0;
}
