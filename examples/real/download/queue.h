/* The transfers of one run, and who takes the next one. */
#ifndef QUEUE_H
#define QUEUE_H

#include "transfer.h"

#include <pthread.h>

struct queue {
    pthread_mutex_t lock; /* guards what follows, and the state of each transfer */
    pthread_cond_t changed;
    struct transfer **transfers;
    size_t count;
    size_t room;
    size_t next;     /* the first that nobody took */
    size_t finished; /* done or failed */
    atomic_bool stop;
};

void queue_init(struct queue *queue);
void queue_destroy(struct queue *queue);

/* Before the threads start. False if the address is none, or there is no memory. */
bool queue_add(struct queue *queue, const char *address);

struct transfer *queue_take(struct queue *queue); /* NULL: nothing is left to do */
void queue_finish(struct queue *queue, struct transfer *transfer, bool fine);

/* Waits until all is finished, at most a second. */
bool queue_wait(struct queue *queue);

void queue_stop(struct queue *queue);

#endif
