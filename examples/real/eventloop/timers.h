/* Timers, the next one first: a binary heap. */
#ifndef TIMERS_H
#define TIMERS_H

#include "loop.h"

#include <stdint.h>

struct timer {
    int64_t when; /* milliseconds of the monotonic clock */
    loop_fn *run;
    void *arg;
};

struct timers {
    struct timer *heap;
    size_t count;
    size_t room;
};

int64_t now_milliseconds(void);

bool timers_add(struct timers *timers, struct timer timer);

/* The timer that is due next; NULL if there is none. */
const struct timer *timers_first(const struct timers *timers);
void timers_drop_first(struct timers *timers);

/* How long until the first is due: -1 if there is none, 0 if it is late. */
int timers_wait(const struct timers *timers);

#endif
