#include "deque.h"

#include <assert.h>
#include <stdlib.h>

static struct room *new_room(size_t size, struct room *previous)
{
    assert(size > 0 && (size & (size - 1)) == 0);
    struct room *room = malloc(sizeof *room + size * sizeof room->slot[0]);
    if (room == NULL)
        return NULL;
    room->size = size;
    room->previous = previous;
    for (size_t i = 0; i < size; i++)
        atomic_init(&room->slot[i], NULL);
    return room;
}

static struct job *get(struct room *room, long index)
{
    return atomic_load_explicit(&room->slot[(size_t)index & (room->size - 1)], memory_order_relaxed);
}

static void put(struct room *room, long index, struct job *job)
{
    atomic_store_explicit(&room->slot[(size_t)index & (room->size - 1)], job, memory_order_relaxed);
}

bool deque_init(struct deque *deque, size_t size)
{
    struct room *room = new_room(size, NULL);
    if (room == NULL)
        return false;
    atomic_init(&deque->top, 0);
    atomic_init(&deque->bottom, 0);
    atomic_init(&deque->room, room);
    return true;
}

void deque_destroy(struct deque *deque)
{
    struct room *room = atomic_load(&deque->room);
#ifdef BUG_LEAK_ROOM
    free(room);
#else
    while (room != NULL) {
        struct room *previous = room->previous;
        free(room);
        room = previous;
    }
#endif
}

static struct room *grow(struct deque *deque, struct room *old, long top, long bottom)
{
    struct room *room = new_room(2 * old->size, old);
    if (room == NULL)
        return NULL;
    for (long i = top; i < bottom; i++)
        put(room, i, get(old, i));
#ifdef BUG_FREE_ROOM
    room->previous = NULL;
    atomic_store_explicit(&deque->room, room, memory_order_release);
    free(old); /* a thief may be reading it */
#else
    atomic_store_explicit(&deque->room, room, memory_order_release);
#endif
    return room;
}

bool deque_push(struct deque *deque, struct job *job)
{
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    long top = atomic_load_explicit(&deque->top, memory_order_acquire);
    struct room *room = atomic_load_explicit(&deque->room, memory_order_relaxed);
#ifdef BUG_FULL_BY_ONE
    if (bottom - top > (long)room->size) {
#else
    if (bottom - top > (long)room->size - 1) {
#endif
        room = grow(deque, room, top, bottom);
        if (room == NULL)
            return false;
    }
    put(room, bottom, job);
#ifdef BUG_RELAXED_PUSH
    /* On a machine with weak memory order, a thief may see the new bottom before the job. */
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
#else
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
#endif
    return true;
}

struct job *deque_pop(struct deque *deque)
{
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;
    struct room *room = atomic_load_explicit(&deque->room, memory_order_relaxed);
    atomic_store_explicit(&deque->bottom, bottom, memory_order_relaxed);
#ifndef BUG_NO_FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    long top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    struct job *job = NULL;
    if (top <= bottom) {
        job = get(room, bottom);
        if (top == bottom) {
            /* The last job: a thief may be after it too. */
#ifdef BUG_LAST_JOB
            atomic_store(&deque->top, top + 1);
#else
            if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1,
                                                         memory_order_seq_cst, memory_order_relaxed))
                job = NULL;
#endif
            atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
        }
    } else {
        atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
    }
    return job;
}

enum stolen deque_steal(struct deque *deque, struct job **job)
{
    long top = atomic_load_explicit(&deque->top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_acquire);
    if (top >= bottom)
        return STOLEN_NOTHING;
    struct room *room = atomic_load_explicit(&deque->room, memory_order_acquire);
#ifdef BUG_STEAL_READS_LATE
    long wanted = top;
    if (!atomic_compare_exchange_strong(&deque->top, &top, top + 1))
        return STOLEN_LOST;
    *job = get(room, wanted); /* the owner may have put another job there */
#else
    *job = get(room, top);
    if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
                                                 memory_order_relaxed))
        return STOLEN_LOST;
#endif
    return STOLEN;
}
