/* Producers push numbers into a lock-free queue, consumers pop them and add them up.
 *
 *     lockfree [-p producers] [-c consumers] [-n items] [-r threshold] [-v]
 *
 * The macros give the defaults: large for a run, small for a proof.
 */
#include "queue.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef PRODUCERS
#define PRODUCERS 4
#endif
#ifndef CONSUMERS
#define CONSUMERS 4
#endif
#ifndef ITEMS
#define ITEMS 50000 /* of each producer */
#endif
#ifndef THRESHOLD
#define THRESHOLD 32 /* retired nodes of a thread before it tries to free them */
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 0 /* a consumer ends after so many attempts; 0: when all items are there */
#endif

struct settings {
    long producers;
    long consumers;
    long items;
    long threshold;
    bool verbose;
};

static struct queue queue;
static atomic_long taken; /* items that all consumers have popped */

struct worker {
    pthread_t thread;
    const struct settings *settings;
    long first; /* a producer's first number */
    long count;
    long sum;
};

static void fail(const char *what, int error)
{
    fprintf(stderr, "lockfree: %s: %s\n", what, strerror(error));
    exit(EXIT_FAILURE);
}

static long positive(const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0)
        fail(text, errno);
    if (end == text || *end != '\0' || value <= 0 || value > 1000000000)
        fail(text, EINVAL);
    return value;
}

static void parse(int argc, char **argv, struct settings *settings)
{
    int option;
    while ((option = getopt(argc, argv, "p:c:n:r:v")) != -1)
        switch (option) {
        case 'p': settings->producers = positive(optarg); break;
        case 'c': settings->consumers = positive(optarg); break;
        case 'n': settings->items = positive(optarg); break;
        case 'r': settings->threshold = positive(optarg); break;
        case 'v': settings->verbose = true; break;
        default:
            fprintf(stderr, "usage: %s [-p N] [-c N] [-n N] [-r N] [-v]\n", argv[0]);
            exit(2);
        }
}

static void *produce(void *arg)
{
    struct worker *self = arg;
    struct hazard_record *record = hazard_acquire(&queue.domain);
    for (long i = 0; i < self->settings->items; i++) {
        if (!queue_push(&queue, record, self->first + i))
            fail("push", ENOMEM);
        self->sum += self->first + i;
        self->count++;
    }
    hazard_release(&queue.domain, record);
    return NULL;
}

static void *consume(void *arg)
{
    struct worker *self = arg;
    long expected = self->settings->producers * self->settings->items, value, attempts = 0;
    struct hazard_record *record = hazard_acquire(&queue.domain);
    while (atomic_load(&taken) < expected) {
        if (queue_pop(&queue, record, &value)) {
            self->sum += value;
            self->count++;
            atomic_fetch_add(&taken, 1);
        } else {
            sched_yield();
        }
        if (ATTEMPTS > 0 && ++attempts == ATTEMPTS)
            break;
    }
    hazard_release(&queue.domain, record);
    return NULL;
}

static double milliseconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) * 1e3 + (double)(to->tv_nsec - from->tv_nsec) / 1e6;
}

int main(int argc, char **argv)
{
    struct settings settings = { PRODUCERS, CONSUMERS, ITEMS, THRESHOLD, false };
    struct timespec from, to;
    long pushed = 0, popped = 0, left = 0, value;
    int error;

    parse(argc, argv, &settings);
    if (!queue_init(&queue, (size_t)settings.threshold))
        fail("queue_init", errno);
    size_t threads = (size_t)(settings.producers + settings.consumers);
    struct worker *workers = calloc(threads, sizeof *workers);
    if (workers == NULL)
        fail("calloc", errno);
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (size_t i = 0; i < threads; i++) {
        bool producer = i < (size_t)settings.producers;
        workers[i].settings = &settings;
        workers[i].first = 1 + (long)i * settings.items;
        error = pthread_create(&workers[i].thread, NULL, producer ? produce : consume, &workers[i]);
        if (error != 0)
            fail("pthread_create", error);
    }
    for (size_t i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        if (i < (size_t)settings.producers)
            pushed += workers[i].sum;
        else
            popped += workers[i].sum;
        if (settings.verbose)
            printf("thread %zu: %ld items\n", i, workers[i].count);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);

    struct hazard_record *record = hazard_acquire(&queue.domain);
    assert(queue_length(&queue) == settings.producers * settings.items - atomic_load(&taken));
    while (queue_pop(&queue, record, &value)) {
        popped += value;
        left++;
    }
    hazard_release(&queue.domain, record);
    assert(queue_length(&queue) == 0);
    assert(popped == pushed);
    assert(ATTEMPTS > 0 || left == 0);
    printf("%ld items in %.1f ms; %lu scans, %lu nodes freed, %zu records\n",
           settings.producers * settings.items, milliseconds(&from, &to),
           atomic_load(&queue.domain.scans), atomic_load(&queue.domain.reclaimed),
           atomic_load(&queue.domain.record_count));
    queue_destroy(&queue);
    free(workers);
    return EXIT_SUCCESS;
}
