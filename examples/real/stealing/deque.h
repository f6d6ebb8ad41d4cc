/* A deque of one owner, from which others steal: the owner pushes and pops at the bottom, thieves
 * take from the top (D. Chase and Y. Lev, "Dynamic Circular Work-Stealing Deque", 2005; with the
 * memory orders of Lê, Pop, Cohen and Zappa Nardelli, 2013). */
#ifndef DEQUE_H
#define DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct job;

/* The room of a deque. One that became too small is kept until the end: thieves may still read it. */
struct room {
    size_t size; /* a power of two */
    struct room *previous;
    _Atomic(struct job *) slot[];
};

struct deque {
    atomic_long top;
    atomic_long bottom;
    _Atomic(struct room *) room;
};

enum stolen {
    STOLEN,
    STOLEN_NOTHING, /* it was empty */
    STOLEN_LOST,    /* somebody else was faster: try again */
};

bool deque_init(struct deque *deque, size_t size);
void deque_destroy(struct deque *deque);

bool deque_push(struct deque *deque, struct job *job); /* by the owner; false if there is no memory */
struct job *deque_pop(struct deque *deque);            /* by the owner; NULL if it is empty */
enum stolen deque_steal(struct deque *deque, struct job **job);

#endif
