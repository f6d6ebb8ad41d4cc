#include "queue.h"

#include <stdlib.h>

struct node {
    long value;
    _Atomic(void *) next;
};

static struct node *new_node(long value)
{
    struct node *node = malloc(sizeof *node);
    if (node != NULL) {
        node->value = value;
        atomic_init(&node->next, NULL);
    }
    return node;
}

bool queue_init(struct queue *queue, size_t threshold)
{
    struct node *dummy = new_node(0);
    if (dummy == NULL)
        return false;
    atomic_init(&queue->head, dummy);
    atomic_init(&queue->tail, dummy);
    hazard_domain_init(&queue->domain, threshold, free);
#ifdef BUG_PLAIN_LENGTH
    queue->length = 0;
#else
    atomic_init(&queue->length, 0);
#endif
    return true;
}

void queue_destroy(struct queue *queue)
{
    struct node *node = atomic_load(&queue->head);
    while (node != NULL) {
        struct node *next = atomic_load(&node->next);
        free(node);
        node = next;
    }
    hazard_domain_destroy(&queue->domain);
}

/* Appends a node if `tail` is still the last one. */
static bool append(struct node *tail, struct node *node)
{
#ifdef BUG_STORE_FOR_CAS
    /* Two pushes at a time: the node of one of them is lost. */
    if (atomic_load(&tail->next) != NULL)
        return false;
    atomic_store(&tail->next, node);
    return true;
#else
    void *none = NULL;
    return atomic_compare_exchange_weak(&tail->next, &none, node);
#endif
}

bool queue_push(struct queue *queue, struct hazard_record *record, long value)
{
    struct node *node = new_node(value);
    if (node == NULL)
        return false;
    for (;;) {
        struct node *tail = hazard_protect(record, 0, &queue->tail);
        void *next = atomic_load(&tail->next);
        if (next != NULL) {
            /* The tail lags behind: help it. */
            void *expected = tail;
            atomic_compare_exchange_strong(&queue->tail, &expected, next);
            continue;
        }
        if (append(tail, node)) {
            void *expected = tail;
            atomic_compare_exchange_strong(&queue->tail, &expected, node);
            break;
        }
    }
    hazard_clear(record, 0);
#ifdef BUG_PLAIN_LENGTH
    queue->length++;
#else
    atomic_fetch_add_explicit(&queue->length, 1, memory_order_relaxed);
#endif
    return true;
}

bool queue_pop(struct queue *queue, struct hazard_record *record, long *value)
{
    bool found = false;
    for (;;) {
        struct node *head = hazard_protect(record, 0, &queue->head);
        void *tail = atomic_load(&queue->tail);
        struct node *next = hazard_protect(record, 1, &head->next);
        if (atomic_load(&queue->head) != head)
            continue;
        if (next == NULL)
            break;
#ifndef BUG_HEAD_PASSES_TAIL
        if (head == tail) {
            atomic_compare_exchange_strong(&queue->tail, &tail, next);
            continue;
        }
#else
        (void)tail; /* the head overtakes the tail, which then points to memory that is freed */
#endif
        void *expected = head;
        if (atomic_compare_exchange_strong(&queue->head, &expected, next)) {
            *value = next->value;
            hazard_retire(&queue->domain, record, head);
            found = true;
            break;
        }
    }
    hazard_clear(record, 0);
    hazard_clear(record, 1);
    if (found) {
#ifdef BUG_PLAIN_LENGTH
        queue->length--;
#else
        atomic_fetch_sub_explicit(&queue->length, 1, memory_order_relaxed);
#endif
    }
    return found;
}

long queue_length(struct queue *queue)
{
#ifdef BUG_PLAIN_LENGTH
    return queue->length;
#else
    return atomic_load_explicit(&queue->length, memory_order_relaxed);
#endif
}
