/* Threads ask a cache for pages, and put those in that are missing.
 *
 *     cache [-t threads] [-r rounds] [-k keys] [-p parts] [-c capacity] [-a age] [-s seed]
 *
 * The macros give the defaults: large for a run, small for a proof.
 */
#include "cache.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef THREADS
#define THREADS 8
#endif
#ifndef ROUNDS
#define ROUNDS 20000
#endif
#ifndef KEYS
#define KEYS 100
#endif
#ifndef PARTS
#define PARTS 4
#endif
#ifndef CAPACITY
#define CAPACITY 16 /* of each part */
#endif
#ifndef AGE
#define AGE 5 /* milliseconds until a page is too old */
#endif

struct settings {
    long threads, rounds, keys, parts, capacity, age, seed;
};

struct reader {
    pthread_t thread;
    struct cache *cache;
    const struct settings *settings;
    unsigned int seed;
    unsigned long asked;
};

static void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

/* Every page says which one it is. */
static void check(const struct value *value, long number)
{
    char expected[32];
    int length = snprintf(expected, sizeof expected, "page %ld", number);
    assert(value_length(value) == (size_t)length + 1);
    assert(strcmp(value_bytes(value), expected) == 0);
}

static void *read_pages(void *arg)
{
    struct reader *self = arg;
    for (long round = 0; round < self->settings->rounds; round++) {
        long number = rand_r(&self->seed) % self->settings->keys;
        char key[24], page[32];
        snprintf(key, sizeof key, "/%ld", number);
        struct value *value = cache_get(self->cache, key);
        self->asked++;
        if (value == NULL) {
            int length = snprintf(page, sizeof page, "page %ld", number);
            value = cache_put(self->cache, key, page, (size_t)length + 1, self->settings->age);
            if (value == NULL)
                die("cache_put");
        }
        check(value, number);
        value_release(value);
    }
    return NULL;
}

static long positive(const char *program, const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 0);
    if (errno == 0 && *text != '\0' && *end == '\0' && value > 0)
        return value;
    fprintf(stderr, "%s: \"%s\" is no number above 0\n", program, text);
    exit(2);
}

static void parse(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {
        { "threads", required_argument, NULL, 't' },
        { "rounds", required_argument, NULL, 'r' },
        { "keys", required_argument, NULL, 'k' },
        { "parts", required_argument, NULL, 'p' },
        { "capacity", required_argument, NULL, 'c' },
        { "age", required_argument, NULL, 'a' },
        { "seed", required_argument, NULL, 's' },
        { NULL, 0, NULL, 0 },
    };
    int option;
    while ((option = getopt_long(argc, argv, "t:r:k:p:c:a:s:", options, NULL)) != -1) {
        if (option == '?')
            exit(2);
        long value = positive(argv[0], optarg);
        switch (option) {
        case 't': settings->threads = value; break;
        case 'r': settings->rounds = value; break;
        case 'k': settings->keys = value; break;
        case 'p': settings->parts = value; break;
        case 'c': settings->capacity = value; break;
        case 'a': settings->age = value; break;
        case 's': settings->seed = value; break;
        }
    }
}

int main(int argc, char **argv)
{
    struct settings settings = { THREADS, ROUNDS, KEYS, PARTS, CAPACITY, AGE, 1 };
    unsigned long asked = 0;

    parse(argc, argv, &settings);
    struct cache *cache = cache_new((size_t)settings.parts, (size_t)settings.capacity);
    struct reader *readers = calloc((size_t)settings.threads, sizeof *readers);
    if (cache == NULL || readers == NULL)
        die("cache");
    for (long i = 0; i < settings.threads; i++) {
        readers[i].cache = cache;
        readers[i].settings = &settings;
        readers[i].seed = (unsigned int)(settings.seed + i);
        errno = pthread_create(&readers[i].thread, NULL, read_pages, &readers[i]);
        if (errno != 0)
            die("pthread_create");
    }
    for (long i = 0; i < settings.threads; i++) {
        pthread_join(readers[i].thread, NULL);
        asked += readers[i].asked;
    }
    struct cache_stats stats = cache_stats(cache);
    assert(stats.hits + stats.misses == asked);
    assert(cache_count(cache) <= (size_t)(settings.parts * settings.capacity));
    printf("%lu asked, %lu hits, %lu misses, %lu evicted, %lu too old\n", asked, stats.hits,
           stats.misses, stats.evicted, stats.expired);
    cache_remove(cache, "/0");
    cache_free(cache);
    free(readers);
    return EXIT_SUCCESS;
}
