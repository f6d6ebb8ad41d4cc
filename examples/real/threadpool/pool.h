/* A pool of worker threads that run tasks in the order in which they were submitted.
 *
 *     struct pool *pool = pool_create(4);
 *     struct future result;
 *     future_init(&result);
 *     pool_submit(pool, compress, &block, &result);
 *     ...
 *     long size;
 *     if (future_wait(&result, &size))
 *         use(size);
 *     future_destroy(&result);
 *     pool_shutdown(pool, POOL_DRAIN);
 *     pool_destroy(pool);
 *
 * All functions may be called by any thread, with two exceptions: pool_shutdown and pool_destroy
 * are called once each, in this order, by a thread that is not one of the workers.
 */
#ifndef POOL_H
#define POOL_H

#include "future.h"
#include "queue.h"

struct pool;

/* What becomes of the tasks that wait in the queue when the pool shuts down. */
enum pool_ending {
    POOL_DRAIN,  /* they run first */
    POOL_CANCEL, /* they never run, and their futures are cancelled */
};

struct pool_stats {
    size_t submitted; /* tasks that were accepted */
    size_t completed; /* tasks that ran to their end */
    size_t cancelled; /* tasks that were thrown away by a shutdown */
};

/* Starts the workers. NULL if there is no memory or no thread could be started. */
struct pool *pool_create(size_t workers);

/* Puts a task into the queue; false if the pool is shutting down. `result` may be NULL. */
bool pool_submit(struct pool *pool, task_fn *run, void *arg, struct future *result);

/* Waits until no task is queued or running. */
void pool_wait_idle(struct pool *pool);

/* A consistent picture of the counters. */
struct pool_stats pool_stats(struct pool *pool);

/* Refuses new tasks, and returns when all workers have ended. */
void pool_shutdown(struct pool *pool, enum pool_ending ending);

/* Frees a pool that has been shut down. */
void pool_destroy(struct pool *pool);

#endif
