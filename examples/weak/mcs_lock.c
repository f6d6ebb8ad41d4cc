// The lock of Mellor-Crummey and Scott: each thread waits at a node of its own. Which memory orders does it need?
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

_Atomic(struct node *) tail;
struct node nodes[2];
int counter;

void lock(struct node *me) {
    atomic_init(&me->next, 0);
    atomic_init(&me->waits, 1);
    struct node *before = atomic_exchange(&tail, me);
    if (before) {
        atomic_store(&before->next, me);
        while (atomic_load(&me->waits)) {
        }
    }
}

void unlock(struct node *me) {
    struct node *after = atomic_load(&me->next);
    if (!after) {
        struct node *last = me;
        if (atomic_compare_exchange_strong(&tail, &last, 0))
            return;
        while (!(after = atomic_load(&me->next))) {
        }
    }
    atomic_store(&after->waits, 0);
}

void *worker(void *node) {
    lock(node);
    counter++;
    unlock(node);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, &nodes[0]);
    pthread_create(&b, 0, worker, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
