#include "queue.h"

#include <assert.h>

void queue_init(struct queue *queue)
{
    queue->first = NULL;
    queue->last = NULL;
    queue->length = 0;
}

bool queue_is_empty(const struct queue *queue)
{
    return queue->length == 0;
}

void queue_push(struct queue *queue, struct task *task)
{
    task->next = NULL;
    if (queue_is_empty(queue))
        queue->first = task;
    else
        queue->last->next = task;
    queue->last = task;
    queue->length++;
}

struct task *queue_pop(struct queue *queue)
{
    assert(!queue_is_empty(queue));
    struct task *task = queue->first;
    queue->first = task->next;
    queue->length--;
    return task;
}
