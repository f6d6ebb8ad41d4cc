/* Threads compute and report to an event loop, which adds up what they say. A timer shows the
 * progress. The loop ends when all threads have reported, or with SIGTERM or SIGINT.
 *
 *     eventloop [-t threads] [-n reports] [-i milliseconds] [-s] [-v]
 *
 * With -s, the last thread sends SIGTERM to the process. The macros give the defaults.
 */
#include "loop.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef REPORTS
#define REPORTS 1000
#endif
#ifndef INTERVAL
#define INTERVAL 10 /* milliseconds between two lines of progress */
#endif
#ifndef SEND_SIGNAL
#define SEND_SIGNAL false
#endif

struct state {
    struct loop *loop;
    long threads;
    long reports;
    long interval;
    bool signals;
    bool verbose;
    long received; /* these are touched by callbacks only, all in one thread */
    long sum;
    long ended;
    bool interrupted;
    atomic_long accepted; /* reports that the loop promised to look at */
};

struct report {
    struct state *state;
    long value;
};

static void on_report(struct loop *loop, void *arg)
{
    struct report *report = arg;
    (void)loop;
    report->state->received++;
    report->state->sum += report->value;
    free(report);
}

static void on_end(struct loop *loop, void *arg)
{
    struct state *state = arg;
    if (++state->ended == state->threads)
        loop_stop(loop);
}

static void on_tick(struct loop *loop, void *arg)
{
    struct state *state = arg;
    printf("%ld of %ld\n", state->received, state->threads * state->reports);
    if (!loop_after(loop, state->interval, on_tick, state))
        perror("eventloop: timer");
}

static void on_terminate(struct loop *loop, void *arg)
{
    struct state *state = arg;
    state->interrupted = true;
    loop_stop(loop);
}

static void *compute(void *arg)
{
    struct state *state = arg;
    for (long i = 1; i <= state->reports; i++) {
        struct report *report = malloc(sizeof *report);
        if (report == NULL)
            break;
        report->state = state;
        report->value = i;
        if (!loop_post(state->loop, on_report, report)) {
            free(report);
            break;
        }
        atomic_fetch_add(&state->accepted, 1);
    }
    if (state->signals && raise(SIGTERM) != 0)
        perror("eventloop: raise");
    loop_post(state->loop, on_end, state);
    return NULL;
}

static void parse(int argc, char **argv, struct state *state)
{
    int option;
    while ((option = getopt(argc, argv, "t:n:i:sv")) != -1) {
        char *end = NULL;
        errno = 0;
        long value = optarg != NULL ? strtol(optarg, &end, 10) : 0;
        if (optarg != NULL && (errno != 0 || *end != '\0' || value < 1 || value > 1000000)) {
            fprintf(stderr, "%s: -%c %s?\n", argv[0], option, optarg);
            exit(2);
        }
        switch (option) {
        case 't': state->threads = value; break;
        case 'n': state->reports = value; break;
        case 'i': state->interval = value; break;
        case 's': state->signals = true; break;
        case 'v': state->verbose = true; break;
        default:
            fprintf(stderr, "usage: %s [-t threads] [-n reports] [-i ms] [-s] [-v]\n", argv[0]);
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    static struct state state;
    state.threads = THREADS;
    state.reports = REPORTS;
    state.interval = INTERVAL;
    state.signals = SEND_SIGNAL;
    parse(argc, argv, &state);

    state.loop = loop_new();
    if (state.loop == NULL) {
        fprintf(stderr, "eventloop: %s\n", strerror(errno));
        return EXIT_FAILURE;
    }
    if (!loop_on_signal(state.loop, SIGTERM, on_terminate, &state)
        || !loop_on_signal(state.loop, SIGINT, on_terminate, &state)
        || (state.verbose && !loop_after(state.loop, state.interval, on_tick, &state))) {
        perror("eventloop");
        loop_free(state.loop);
        return EXIT_FAILURE;
    }
    pthread_t *threads = calloc((size_t)state.threads, sizeof *threads);
    if (threads == NULL)
        abort();
    for (long i = 0; i < state.threads; i++) {
        int error = pthread_create(&threads[i], NULL, compute, &state);
        if (error != 0) {
            fprintf(stderr, "eventloop: pthread_create: %s\n", strerror(error));
            exit(EXIT_FAILURE);
        }
    }
    bool ran = loop_run(state.loop);
    if (!ran)
        perror("eventloop: poll");
    for (long i = 0; i < state.threads; i++)
        pthread_join(threads[i], NULL);
    if (ran) {
        assert(state.received == atomic_load(&state.accepted));
        assert(state.signals || state.ended == state.threads);
    }
    if (ran && !state.signals) {
        assert(state.received == state.threads * state.reports);
        assert(state.sum == state.threads * (state.reports * (state.reports + 1) / 2));
    }
    printf("%ld reports, sum %ld%s\n", state.received, state.sum,
           state.interrupted ? ", interrupted" : "");
    free(threads);
    loop_free(state.loop);
    return EXIT_SUCCESS;
}
