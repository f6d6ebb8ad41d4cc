#include "future.h"

#include <assert.h>

void future_init(struct future *future)
{
    pthread_mutex_init(&future->lock, NULL);
    pthread_cond_init(&future->settled, NULL);
    future->state = FUTURE_PENDING;
    future->value = 0;
}

void future_destroy(struct future *future)
{
    assert(future->state != FUTURE_PENDING);
    pthread_cond_destroy(&future->settled);
    pthread_mutex_destroy(&future->lock);
}

static void settle(struct future *future, enum future_state state, long value)
{
#ifdef BUG_LATE_LOCK
    /* "An int is written at once, so the flag needs no lock." The waiter may see the flag before
     * the value is there, and the two accesses race. */
    future->state = state;
    pthread_mutex_lock(&future->lock);
    future->value = value;
#else
    pthread_mutex_lock(&future->lock);
    /* A task runs once: nobody may have settled its future before. */
    assert(future->state == FUTURE_PENDING);
    future->value = value;
    future->state = state;
#endif
    /* The signal is sent while the lock is held. The waiter may destroy the future as soon as it
     * has the lock and sees the state, so the unlock below has to be the last use of it. */
#ifndef BUG_EARLY_FREE
    pthread_cond_broadcast(&future->settled);
    pthread_mutex_unlock(&future->lock);
#else
    pthread_mutex_unlock(&future->lock);
    pthread_cond_broadcast(&future->settled);
#endif
}

void future_complete(struct future *future, long value)
{
    settle(future, FUTURE_READY, value);
}

void future_cancel(struct future *future)
{
    settle(future, FUTURE_CANCELLED, 0);
}

bool future_wait(struct future *future, long *value)
{
    pthread_mutex_lock(&future->lock);
    while (future->state == FUTURE_PENDING)
        pthread_cond_wait(&future->settled, &future->lock);
    bool ran = future->state == FUTURE_READY;
    if (ran)
        *value = future->value;
    pthread_mutex_unlock(&future->lock);
    return ran;
}
