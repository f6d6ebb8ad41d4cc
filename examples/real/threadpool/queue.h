/* A first-in first-out list of tasks. It has no lock of its own: whoever owns the queue holds one. */
#ifndef QUEUE_H
#define QUEUE_H

#include "future.h"

#include <stdbool.h>
#include <stddef.h>

/* What a task does; the result goes into its future. */
typedef long task_fn(void *arg);

struct task {
    task_fn *run;
    void *arg;
    struct future *result; /* NULL if nobody wants the result */
    struct task *next;
};

struct queue {
    struct task *first;
    struct task *last; /* meaningless while the queue is empty */
    size_t length;
};

void queue_init(struct queue *queue);
bool queue_is_empty(const struct queue *queue);

/* The queue owns the task until it is popped. */
void queue_push(struct queue *queue, struct task *task);

/* The oldest task. The queue must not be empty. */
struct task *queue_pop(struct queue *queue);

#endif
