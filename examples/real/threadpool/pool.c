#include "pool.h"

#include <assert.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock; /* guards everything below but the threads, which never change */
    pthread_cond_t work;  /* a task was queued, or the pool is stopping */
    pthread_cond_t idle;  /* nothing is queued and nothing runs */
    struct queue queue;
    size_t running; /* tasks that a worker has taken and not finished */
    bool stopping;
    struct pool_stats stats;
    size_t workers;
    pthread_t *threads;
};

/* Waits for a task. NULL when there will be no more of them. */
static struct task *next_task(struct pool *pool)
{
    struct task *task = NULL;

    pthread_mutex_lock(&pool->lock);
#ifdef BUG_IF_FOR_WHILE
    /* Before this thread has the lock again, another worker may have taken the task; and a wait
     * may return although nobody sent a signal. */
    if (queue_is_empty(&pool->queue) && !pool->stopping)
#else
    while (queue_is_empty(&pool->queue) && !pool->stopping)
#endif
        pthread_cond_wait(&pool->work, &pool->lock);
    /* A pool that stops still empties its queue; pool_shutdown has emptied it if it should not. */
    bool over = pool->stopping && queue_is_empty(&pool->queue);
    if (!over) {
        task = queue_pop(&pool->queue);
        pool->running++;
    }
    pthread_mutex_unlock(&pool->lock);
    return task;
}

static void finish_task(struct pool *pool)
{
#ifdef BUG_UNLOCKED_STATS
    pool->stats.completed++; /* "only a statistic": two workers lose an update */
    pthread_mutex_lock(&pool->lock);
#else
    pthread_mutex_lock(&pool->lock);
    pool->stats.completed++;
#endif
    pool->running--;
    if (pool->running == 0 && queue_is_empty(&pool->queue))
        pthread_cond_broadcast(&pool->idle);
    pthread_mutex_unlock(&pool->lock);
}

static void *worker(void *arg)
{
    struct pool *pool = arg;
    struct task *task;

    while ((task = next_task(pool)) != NULL) {
        long value = task->run(task->arg);
        struct future *result = task->result;
        free(task);
        /* The counters first: who has waited for the result finds it counted. */
        finish_task(pool);
        if (result != NULL)
            future_complete(result, value);
    }
    return NULL;
}

/* Wakes all workers, and waits until they have ended. */
static void stop_workers(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
#ifdef BUG_LOST_WAKEUP
    /* One worker wakes up and ends, the others sleep for ever. */
    pthread_cond_signal(&pool->work);
#else
    pthread_cond_broadcast(&pool->work);
#endif
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->workers; i++)
        pthread_join(pool->threads[i], NULL);
}

struct pool *pool_create(size_t workers)
{
    assert(workers > 0);
    struct pool *pool = malloc(sizeof *pool);
    if (pool == NULL)
        return NULL;
    pool->threads = malloc(workers * sizeof *pool->threads);
    if (pool->threads == NULL) {
        free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->idle, NULL);
    queue_init(&pool->queue);
    pool->running = 0;
    pool->stopping = false;
    pool->stats = (struct pool_stats){ 0, 0, 0 };

    /* With fewer threads than asked for the pool is slower, but it works; with none it does not. */
    size_t started = 0;
    while (started < workers &&
           pthread_create(&pool->threads[started], NULL, worker, pool) == 0)
        started++;
    pool->workers = started;
    if (started == 0) {
        pool_destroy(pool);
        return NULL;
    }
    return pool;
}

bool pool_submit(struct pool *pool, task_fn *run, void *arg, struct future *result)
{
    struct task *task = malloc(sizeof *task);
    if (task == NULL)
        return false;
    task->run = run;
    task->arg = arg;
    task->result = result;

    pthread_mutex_lock(&pool->lock);
    bool accepted = !pool->stopping;
    if (accepted) {
        queue_push(&pool->queue, task);
        pool->stats.submitted++;
        /* One task needs one worker. One that is busy will find the task by itself. */
        pthread_cond_signal(&pool->work);
    }
    pthread_mutex_unlock(&pool->lock);
    if (!accepted)
        free(task);
    return accepted;
}

void pool_wait_idle(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->running > 0 || !queue_is_empty(&pool->queue))
        pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

struct pool_stats pool_stats(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct pool_stats stats = pool->stats;
    pthread_mutex_unlock(&pool->lock);
    return stats;
}

/* Throws away all tasks that no worker has taken yet. */
static void cancel_queued(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    while (!queue_is_empty(&pool->queue)) {
        struct task *task = queue_pop(&pool->queue);
        pool->stats.cancelled++;
        if (task->result != NULL)
            future_cancel(task->result);
        free(task);
    }
    if (pool->running == 0)
        pthread_cond_broadcast(&pool->idle);
    pthread_mutex_unlock(&pool->lock);
}

void pool_shutdown(struct pool *pool, enum pool_ending ending)
{
    if (ending == POOL_CANCEL)
        cancel_queued(pool);
    stop_workers(pool);
}

void pool_destroy(struct pool *pool)
{
    assert(queue_is_empty(&pool->queue));
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool);
}
