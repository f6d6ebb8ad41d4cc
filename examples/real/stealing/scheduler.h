/* Fork and join on a fixed number of threads. Each has a deque of jobs; who has none steals.
 *
 *     struct job left = { .run = sort, .arg = &lower_half };
 *     scheduler_spawn(worker, &left);
 *     sort(worker, &upper_half);
 *     scheduler_wait(worker, &left);     runs other jobs meanwhile
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "deque.h"

struct scheduler;
struct worker;

typedef void job_fn(struct worker *worker, void *arg);

struct job {
    job_fn *run;
    void *arg;
    atomic_bool done;
};

struct scheduler_stats {
    unsigned long run;
    unsigned long stolen;
    unsigned long slept;
};

struct scheduler *scheduler_new(size_t workers, size_t deque_size);
void scheduler_free(struct scheduler *scheduler);

/* Runs one job and all that it spawns; returns when it is done. By one thread at a time. */
void scheduler_run(struct scheduler *scheduler, job_fn *run, void *arg);

/* These are for jobs. A job that was spawned must be waited for. */
void scheduler_spawn(struct worker *worker, struct job *job);
void scheduler_wait(struct worker *worker, struct job *job);

struct scheduler_stats scheduler_stats(struct scheduler *scheduler);

#endif
