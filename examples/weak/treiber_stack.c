// A stack without locks: two threads push, one pops what it finds. Which memory orders does it need?
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
    struct node *next;
};

_Atomic(struct node *) head;
struct node nodes[2];

void push(struct node *it) {
    struct node *top = atomic_load(&head);
    do {
        it->next = top;
    } while (!atomic_compare_exchange_strong(&head, &top, it));
}

struct node *pop(void) {
    struct node *top = atomic_load(&head);
    while (top && !atomic_compare_exchange_strong(&head, &top, top->next)) {
    }
    return top;
}

void *pusher(void *it) {
    ((struct node *)it)->value = 42;
    push(it);
    return 0;
}

void *popper(void *unused) {
    struct node *it = pop();
    if (it)
        assert(it->value == 42);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, pusher, &nodes[0]);
    pthread_create(&b, 0, pusher, &nodes[1]);
    pthread_create(&c, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
