/* A future: the place where the result of a task appears, and where somebody can wait for it.
 *
 * The owner of the memory calls future_init before the task is submitted and future_destroy after
 * future_wait has returned. Exactly one of future_complete and future_cancel is called in between,
 * by the pool.
 */
#ifndef FUTURE_H
#define FUTURE_H

#include <pthread.h>
#include <stdbool.h>

enum future_state {
    FUTURE_PENDING,   /* the task waits in the queue, or runs */
    FUTURE_READY,     /* the task ran, the value is there */
    FUTURE_CANCELLED, /* the task will never run */
};

struct future {
    pthread_mutex_t lock;
    pthread_cond_t settled; /* the state is no longer FUTURE_PENDING */
    enum future_state state;
    long value;
};

void future_init(struct future *future);
void future_destroy(struct future *future);

/* Used by the pool: settle the future and wake whoever waits. */
void future_complete(struct future *future, long value);
void future_cancel(struct future *future);

/* Waits until the future is settled. True if the task ran; its result is then in *value. */
bool future_wait(struct future *future, long *value);

#endif
