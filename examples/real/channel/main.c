/* Producers send numbers through a channel to workers, which send what they made of them through
 * two other channels to the main thread: odd results through one, even ones through the other.
 *
 *     channel [-p producers] [-w workers] [-n items] [-c capacity] [-t milliseconds] [-v]
 *
 * The macros give the defaults: large for a run, small for a proof.
 */
#include "channel.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef PRODUCERS
#define PRODUCERS 4
#endif
#ifndef WORKERS
#define WORKERS 4
#endif
#ifndef ITEMS
#define ITEMS 20000 /* of each producer */
#endif
#ifndef CAPACITY
#define CAPACITY 64
#endif
#ifndef PATIENCE
#define PATIENCE (-1) /* milliseconds that main waits for a result; -1: for ever */
#endif

struct settings {
    long producers;
    long workers;
    long items;
    long capacity;
    long patience;
    bool verbose;
};

struct message {
    long number;
    int producer;
};

struct network {
    const struct settings *settings;
    struct channel *work;
    struct channel *odd;
    struct channel *even;
};

struct producer {
    pthread_t thread;
    struct network *network;
    int index;
    long sent;
};

static void die(const char *what, int error)
{
    fprintf(stderr, "channel: %s: %s\n", what, strerror(error));
    exit(EXIT_FAILURE);
}

static void usage(FILE *out, const char *program)
{
    fprintf(out,
            "usage: %s [-p producers] [-w workers] [-n items] [-c capacity] [-t milliseconds] [-v]\n",
            program);
}

static long number(const char *text, long least, long most)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "channel: \"%s\" is no number from %ld to %ld\n", text, least, most);
        exit(EXIT_FAILURE);
    }
    return value;
}

static void parse(int argc, char **argv, struct settings *settings)
{
    int option;
    while ((option = getopt(argc, argv, "p:w:n:c:t:vh")) != -1)
        switch (option) {
        case 'p': settings->producers = number(optarg, 1, 1000); break;
        case 'w': settings->workers = number(optarg, 1, 1000); break;
        case 'n': settings->items = number(optarg, 0, LONG_MAX / 1000000); break;
        case 'c': settings->capacity = number(optarg, 0, 1000000); break;
        case 't': settings->patience = number(optarg, -1, 3600 * 1000); break;
        case 'v': settings->verbose = true; break;
        case 'h': usage(stdout, argv[0]); exit(EXIT_SUCCESS);
        default: usage(stderr, argv[0]); exit(EXIT_FAILURE);
        }
    if (optind < argc) {
        usage(stderr, argv[0]);
        exit(EXIT_FAILURE);
    }
}

static void *produce(void *arg)
{
    struct producer *self = arg;
    for (long i = 0; i < self->network->settings->items; i++) {
        struct message message = { .number = i, .producer = self->index };
        if (channel_send(self->network->work, &message) != CHANNEL_OK)
            break;
        self->sent++;
    }
    return NULL;
}

static void *work(void *arg)
{
    struct network *network = arg;
    struct message message;
    long done = 0;
    while (channel_recv(network->work, &message) == CHANNEL_OK) {
        long result = message.number + message.producer;
        struct channel *out = result % 2 != 0 ? network->odd : network->even;
        if (channel_send(out, &result) != CHANNEL_OK)
            break;
        done++;
    }
    return (void *)done;
}

/* Receives until there is nothing more to come. Returns the sum. */
static long collect(struct network *network, long expected, long *count)
{
    long odd = 0, even = 0, sum = 0;
    struct channel_case cases[] = { { .channel = network->odd, .item = &odd },
                                    { .channel = network->even, .item = &even } };
    *count = 0;
    while (*count < expected) {
        int chosen = channel_select(cases, 2, network->settings->patience);
        if (chosen < 0) {
            printf("waiting: %ld of %ld, %zu queued\n", *count, expected,
                   channel_length(network->work));
            continue;
        }
        if (cases[chosen].status != CHANNEL_OK) {
            fprintf(stderr, "channel: %s\n", channel_status_name(cases[chosen].status));
            break;
        }
        long value = chosen == 0 ? odd : even;
        assert(value % 2 == (chosen == 0 ? 1 : 0));
        sum += value;
        ++*count;
    }
    return sum;
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static struct channel *channel_or_die(size_t capacity, size_t item_size)
{
    struct channel *channel = channel_new(capacity, item_size);
    if (channel == NULL)
        die("channel_new", ENOMEM);
    return channel;
}

int main(int argc, char **argv)
{
    struct settings settings = { PRODUCERS, WORKERS, ITEMS, CAPACITY, PATIENCE, false };
    struct timespec start;
    int error;

    parse(argc, argv, &settings);
    clock_gettime(CLOCK_MONOTONIC, &start);
    struct network network = {
        .settings = &settings,
        .work = channel_or_die((size_t)settings.capacity, sizeof(struct message)),
        .odd = channel_or_die((size_t)settings.capacity, sizeof(long)),
        .even = channel_or_die((size_t)settings.capacity, sizeof(long)),
    };
    struct producer *producers = calloc((size_t)settings.producers, sizeof *producers);
    pthread_t *workers = calloc((size_t)settings.workers, sizeof *workers);
    if (producers == NULL || workers == NULL)
        die("calloc", errno);
    for (int i = 0; i < settings.producers; i++) {
        producers[i] = (struct producer){ .network = &network, .index = i };
        error = pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
        if (error != 0)
            die("pthread_create", error);
    }
    for (int i = 0; i < settings.workers; i++) {
        error = pthread_create(&workers[i], NULL, work, &network);
        if (error != 0)
            die("pthread_create", error);
    }

    long expected = settings.producers * settings.items, received, sent = 0, worked = 0;
    long sum = collect(&network, expected, &received);

    for (int i = 0; i < settings.producers; i++) {
        pthread_join(producers[i].thread, NULL);
        sent += producers[i].sent;
    }
    channel_close(network.work);
    for (int i = 0; i < settings.workers; i++) {
        void *done;
        pthread_join(workers[i], &done);
        if (settings.verbose)
            printf("worker %d: %ld items\n", i, (long)done);
        worked += (long)done;
    }
    assert(received == expected);
    assert(sent == expected && worked == expected);
    assert(sum == settings.producers * (settings.items * (settings.items - 1) / 2)
                      + settings.items * (settings.producers * (settings.producers - 1) / 2));
    assert(channel_length(network.odd) == 0 && channel_length(network.even) == 0);

    channel_free(network.even);
    channel_free(network.odd);
    channel_free(network.work);
    free(workers);
    free(producers);
    printf("%ld items, sum %ld, %.3f s\n", received, sum, seconds_since(&start));
    return EXIT_SUCCESS;
}
