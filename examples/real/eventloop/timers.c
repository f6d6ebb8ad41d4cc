#include "timers.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

int64_t now_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void swap(struct timer *left, struct timer *right)
{
    struct timer saved = *left;
    *left = *right;
    *right = saved;
}

bool timers_add(struct timers *timers, struct timer timer)
{
    if (timers->count == timers->room) {
        size_t room = timers->room == 0 ? 1 : 2 * timers->room;
        struct timer *heap = realloc(timers->heap, room * sizeof *heap);
        if (heap == NULL)
            return false;
        timers->heap = heap;
        timers->room = room;
    }
    size_t at = timers->count++;
    timers->heap[at] = timer;
    while (at > 0 && timers->heap[(at - 1) / 2].when > timers->heap[at].when) {
        swap(&timers->heap[(at - 1) / 2], &timers->heap[at]);
        at = (at - 1) / 2;
    }
    return true;
}

const struct timer *timers_first(const struct timers *timers)
{
    return timers->count > 0 ? &timers->heap[0] : NULL;
}

void timers_drop_first(struct timers *timers)
{
    size_t at = 0;

    timers->heap[0] = timers->heap[--timers->count];
    for (;;) {
        size_t least = at, left = 2 * at + 1, right = 2 * at + 2;
#ifdef BUG_HEAP_BOUND
        if (left <= timers->count && timers->heap[left].when < timers->heap[least].when)
#else
        if (left < timers->count && timers->heap[left].when < timers->heap[least].when)
#endif
            least = left;
        if (right < timers->count && timers->heap[right].when < timers->heap[least].when)
            least = right;
        if (least == at)
            return;
        swap(&timers->heap[at], &timers->heap[least]);
        at = least;
    }
}

int timers_wait(const struct timers *timers)
{
    const struct timer *first = timers_first(timers);
    if (first == NULL)
        return -1;
    int64_t wait = first->when - now_milliseconds();
    if (wait < 0)
        return 0;
    return wait > INT_MAX ? INT_MAX : (int)wait;
}
