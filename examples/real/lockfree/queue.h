/* A first-in first-out queue for any number of threads without locks (M. Michael and M. Scott,
 * "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent Queue Algorithms", 1996).
 * Memory is freed with hazard pointers. */
#ifndef QUEUE_H
#define QUEUE_H

#include "hazard.h"

#include <stdbool.h>

struct queue {
    _Atomic(void *) head; /* a node whose value was taken, or the first node of all */
    _Atomic(void *) tail; /* the last node, or the one before it */
    struct hazard_domain domain;
#ifdef BUG_PLAIN_LENGTH
    long length; /* "only for the statistics" */
#else
    atomic_long length;
#endif
};

bool queue_init(struct queue *queue, size_t threshold);
void queue_destroy(struct queue *queue); /* nobody uses it any more */

/* Each thread has a record of its own for all calls. */
bool queue_push(struct queue *queue, struct hazard_record *record, long value);
bool queue_pop(struct queue *queue, struct hazard_record *record, long *value);

long queue_length(struct queue *queue);

#endif
