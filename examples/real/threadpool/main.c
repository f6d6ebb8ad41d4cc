/* Squares numbers in a thread pool, and checks that every task ran once and every result arrived.
 *
 * The macros give the size: large for a run, small for a proof.
 *     WORKERS   threads of the pool
 *     TASKS     tasks that are submitted
 *     ENDING    POOL_DRAIN or POOL_CANCEL: how the pool shuts down
 */
#include "pool.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS 8
#endif
#ifndef TASKS
#define TASKS 20000
#endif
#ifndef ENDING
#define ENDING POOL_DRAIN
#endif

struct job {
    long number;
    int runs; /* written by the worker that runs the job, and by nobody else */
    struct future result;
};

static long square(void *arg)
{
    struct job *job = arg;
    job->runs++;
    return job->number * job->number;
}

static struct job *start_job(struct pool *pool, long number)
{
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        abort();
    job->number = number;
    job->runs = 0;
    future_init(&job->result);
    bool accepted = pool_submit(pool, square, job, &job->result);
    assert(accepted);
    return job;
}

/* Waits for the result and checks it. True if the job ran, false if it was cancelled. */
static bool finish_job(struct job *job)
{
    long value = -1;
    bool ran = future_wait(&job->result, &value);
    assert(job->runs == (ran ? 1 : 0));
    assert(!ran || value == job->number * job->number);
    future_destroy(&job->result);
    free(job);
    return ran;
}

int main(void)
{
    static struct job *jobs[TASKS];
    size_t ran = 0;

    struct pool *pool = pool_create(WORKERS);
    if (pool == NULL)
        return EXIT_FAILURE;
    for (int i = 0; i < TASKS; i++)
        jobs[i] = start_job(pool, i + 1);

    /* The first half is waited for while the pool works, the rest only after it has shut down. */
    for (int i = 0; i < TASKS / 2; i++) {
        bool done = finish_job(jobs[i]);
        assert(done);
        ran++;
    }
    if (ENDING == POOL_DRAIN)
        pool_wait_idle(pool);
    pool_shutdown(pool, ENDING);
    for (int i = TASKS / 2; i < TASKS; i++)
        if (finish_job(jobs[i]))
            ran++;

    struct pool_stats stats = pool_stats(pool);
    assert(stats.submitted == TASKS);
    assert(stats.completed == ran);
    assert(stats.completed + stats.cancelled == TASKS);
    assert(ENDING == POOL_CANCEL || stats.cancelled == 0);
    pool_destroy(pool);
    printf("%zu tasks ran, %zu were cancelled\n", stats.completed, stats.cancelled);
    return EXIT_SUCCESS;
}
