/* Sorts numbers with merge sort on a work-stealing scheduler, and adds them up on the way.
 *
 *     stealing [-w workers] [-n numbers] [-g grain] [-d deque size] [-s seed]
 *
 * The macros give the defaults: large for a run, small for a proof.
 */
#include "scheduler.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef WORKERS
#define WORKERS 4
#endif
#ifndef NUMBERS
#define NUMBERS 1000000
#endif
#ifndef GRAIN
#define GRAIN 1000 /* parts of at most this size are sorted at once */
#endif
#ifndef DEQUE
#define DEQUE 16
#endif

struct part {
    int *numbers;
    int *scratch;
    size_t count;
    size_t grain;
    long sum;
};

static int compare(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static void merge(struct part *part, size_t middle)
{
    size_t left = 0, right = middle;
    memcpy(part->scratch, part->numbers, part->count * sizeof *part->numbers);
    for (size_t i = 0; i < part->count; i++) {
        bool take_left = right == part->count
                         || (left < middle && part->scratch[left] <= part->scratch[right]);
        part->numbers[i] = take_left ? part->scratch[left++] : part->scratch[right++];
    }
}

static void sort(struct worker *worker, void *arg)
{
    struct part *part = arg;
    if (part->count <= part->grain) {
        qsort(part->numbers, part->count, sizeof *part->numbers, compare);
        part->sum = 0;
        for (size_t i = 0; i < part->count; i++)
            part->sum += part->numbers[i];
        return;
    }
    size_t middle = part->count / 2;
    struct part lower = { part->numbers, part->scratch, middle, part->grain, 0 };
    struct part upper = { part->numbers + middle, part->scratch + middle, part->count - middle,
                          part->grain, 0 };
    struct job job = { .run = sort, .arg = &lower };
    scheduler_spawn(worker, &job);
    sort(worker, &upper);
    scheduler_wait(worker, &job);
    merge(part, middle);
    part->sum = lower.sum + upper.sum;
}

static size_t number(const char *text, unsigned long most)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value == 0 || value > most) {
        fprintf(stderr, "stealing: \"%s\" is no number from 1 to %lu\n", text, most);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv)
{
    size_t workers = WORKERS, count = NUMBERS, grain = GRAIN, deque = DEQUE;
    unsigned int seed = 1;
    int option;

    while ((option = getopt(argc, argv, "w:n:g:d:s:")) != -1)
        switch (option) {
        case 'w': workers = number(optarg, 256); break;
        case 'n': count = number(optarg, 1ul << 30); break;
        case 'g': grain = number(optarg, 1ul << 30); break;
        case 'd': deque = number(optarg, 1ul << 20); break;
        case 's': seed = (unsigned int)number(optarg, 1ul << 31); break;
        default:
            fprintf(stderr, "usage: %s [-w N] [-n N] [-g N] [-d N] [-s N]\n", argv[0]);
            return 2;
        }
    int *numbers = malloc(count * sizeof *numbers), *scratch = malloc(count * sizeof *scratch);
    struct scheduler *scheduler = scheduler_new(workers, deque);
    if (numbers == NULL || scratch == NULL || scheduler == NULL) {
        perror("stealing");
        return EXIT_FAILURE;
    }
    long sum = 0;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        numbers[i] = (int)(seed >> 16);
        sum += numbers[i];
    }
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    struct part all = { numbers, scratch, count, grain, 0 };
    scheduler_run(scheduler, sort, &all);
    clock_gettime(CLOCK_MONOTONIC, &to);
    for (size_t i = 1; i < count; i++)
        assert(numbers[i - 1] <= numbers[i]);
    assert(all.sum == sum);
    struct scheduler_stats stats = scheduler_stats(scheduler);
    printf("%zu numbers in %.3f s; %lu jobs, %lu stolen, %lu sleeps\n", count,
           (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9, stats.run,
           stats.stolen, stats.slept);
    scheduler_free(scheduler);
    free(scratch);
    free(numbers);
    return EXIT_SUCCESS;
}
