#include "scheduler.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    struct scheduler *scheduler;
    struct deque deque;
    pthread_t thread;
    uint32_t random; /* xorshift: whom to steal from */
    struct scheduler_stats stats;
};

struct scheduler {
    pthread_mutex_t lock; /* guards the next two */
    pthread_cond_t work;
    bool stopping;
    atomic_long queued;   /* jobs in all deques, at least */
    atomic_int sleepers;
    size_t count;
    struct worker workers[]; /* the first one is whoever calls scheduler_run */
};

static uint32_t next_random(struct worker *worker)
{
    uint32_t x = worker->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return worker->random = x;
}

static void run_job(struct worker *worker, struct job *job)
{
    atomic_fetch_sub(&worker->scheduler->queued, 1);
    worker->stats.run++;
#ifdef BUG_DONE_FIRST
    job_fn *run = job->run;
    void *arg = job->arg;
    atomic_store(&job->done, true);
    run(worker, arg);
#else
    job->run(worker, job->arg);
    /* The last use of the job: it may be on a stack that is going away. */
    atomic_store_explicit(&job->done, true, memory_order_release);
#endif
}

/* One round over the deques of the others. */
static struct job *steal(struct worker *worker)
{
    struct scheduler *scheduler = worker->scheduler;
    size_t first = next_random(worker) % scheduler->count;
    for (size_t i = 0; i < scheduler->count; i++) {
        struct worker *victim = &scheduler->workers[(first + i) % scheduler->count];
        struct job *job;
        enum stolen stolen;
        if (victim == worker)
            continue;
        while ((stolen = deque_steal(&victim->deque, &job)) == STOLEN_LOST)
            ;
        if (stolen == STOLEN) {
            worker->stats.stolen++;
            return job;
        }
    }
    return NULL;
}

static struct job *find_job(struct worker *worker)
{
    struct job *job = deque_pop(&worker->deque);
    return job != NULL ? job : steal(worker);
}

/* Sleeps until there may be a job. False if the scheduler is stopping. */
static bool sleep_until_work(struct worker *worker)
{
    struct scheduler *scheduler = worker->scheduler;
    pthread_mutex_lock(&scheduler->lock);
    worker->stats.slept++;
#ifdef BUG_SLEEPER_LATE
    /* The spawner that looks now sees nobody who sleeps, and does not signal. */
    while (!scheduler->stopping && atomic_load(&scheduler->queued) == 0) {
        atomic_fetch_add(&scheduler->sleepers, 1);
        pthread_cond_wait(&scheduler->work, &scheduler->lock);
        atomic_fetch_sub(&scheduler->sleepers, 1);
    }
#else
    atomic_fetch_add(&scheduler->sleepers, 1);
    while (!scheduler->stopping && atomic_load(&scheduler->queued) == 0)
        pthread_cond_wait(&scheduler->work, &scheduler->lock);
    atomic_fetch_sub(&scheduler->sleepers, 1);
#endif
    bool go_on = !scheduler->stopping;
    pthread_mutex_unlock(&scheduler->lock);
    return go_on;
}

static void *work(void *arg)
{
    struct worker *worker = arg;
    do {
        struct job *job;
        while ((job = find_job(worker)) != NULL)
            run_job(worker, job);
    } while (sleep_until_work(worker));
    return NULL;
}

struct scheduler *scheduler_new(size_t workers, size_t deque_size)
{
    assert(workers > 0);
    struct scheduler *scheduler = calloc(1, sizeof *scheduler + workers * sizeof(struct worker));
    if (scheduler == NULL)
        return NULL;
    pthread_mutex_init(&scheduler->lock, NULL);
    pthread_cond_init(&scheduler->work, NULL);
    for (; scheduler->count < workers; scheduler->count++) {
        struct worker *worker = &scheduler->workers[scheduler->count];
        worker->scheduler = scheduler;
        worker->random = 2463534242u + (uint32_t)scheduler->count;
        if (!deque_init(&worker->deque, deque_size))
            break;
    }
    if (scheduler->count < workers) {
        scheduler->count = 0;
        scheduler_free(scheduler);
        return NULL;
    }
    for (size_t i = 1; i < workers; i++) {
        int error = pthread_create(&scheduler->workers[i].thread, NULL, work, &scheduler->workers[i]);
        if (error != 0) {
            fprintf(stderr, "scheduler: %s\n", strerror(error));
            abort();
        }
    }
    return scheduler;
}

void scheduler_free(struct scheduler *scheduler)
{
    pthread_mutex_lock(&scheduler->lock);
    scheduler->stopping = true;
#ifdef BUG_STOP_SIGNALS_ONE
    pthread_cond_signal(&scheduler->work);
#else
    pthread_cond_broadcast(&scheduler->work);
#endif
    pthread_mutex_unlock(&scheduler->lock);
    for (size_t i = 1; i < scheduler->count; i++)
        pthread_join(scheduler->workers[i].thread, NULL);
    for (size_t i = 0; i < scheduler->count; i++)
        deque_destroy(&scheduler->workers[i].deque);
    pthread_cond_destroy(&scheduler->work);
    pthread_mutex_destroy(&scheduler->lock);
    free(scheduler);
}

void scheduler_spawn(struct worker *worker, struct job *job)
{
    struct scheduler *scheduler = worker->scheduler;
    atomic_init(&job->done, false);
    if (!deque_push(&worker->deque, job)) {
        /* No memory for it: then at once. */
        job->run(worker, job->arg);
        atomic_store(&job->done, true);
        return;
    }
    atomic_fetch_add(&scheduler->queued, 1);
    if (atomic_load(&scheduler->sleepers) > 0) {
#ifdef BUG_SIGNAL_WITHOUT_LOCK
        /* Between a sleeper's look at the number of jobs and its wait, the signal is lost. */
        pthread_cond_signal(&scheduler->work);
#else
        pthread_mutex_lock(&scheduler->lock);
        pthread_cond_signal(&scheduler->work);
        pthread_mutex_unlock(&scheduler->lock);
#endif
    }
}

void scheduler_wait(struct worker *worker, struct job *job)
{
    while (!atomic_load_explicit(&job->done, memory_order_acquire)) {
        struct job *other = find_job(worker);
        if (other != NULL)
            run_job(worker, other);
        else
            sched_yield();
    }
}

void scheduler_run(struct scheduler *scheduler, job_fn *run, void *arg)
{
    run(&scheduler->workers[0], arg);
}

struct scheduler_stats scheduler_stats(struct scheduler *scheduler)
{
    struct scheduler_stats all = { 0, 0, 0 };
#ifndef BUG_RACY_STATS
    /* The workers count without a lock: they have to be asleep, or at their end. */
    pthread_mutex_lock(&scheduler->lock);
    while (atomic_load(&scheduler->sleepers) < (int)scheduler->count - 1) {
        pthread_mutex_unlock(&scheduler->lock);
        sched_yield();
        pthread_mutex_lock(&scheduler->lock);
    }
#endif
    for (size_t i = 0; i < scheduler->count; i++) {
        all.run += scheduler->workers[i].stats.run;
        all.stolen += scheduler->workers[i].stats.stolen;
        all.slept += scheduler->workers[i].stats.slept;
    }
#ifndef BUG_RACY_STATS
    pthread_mutex_unlock(&scheduler->lock);
#endif
    return all;
}
