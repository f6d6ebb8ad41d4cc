/* What waits for several channels at once. Each channel has a list of selectors; a selector has a
 * waiter, on which its thread sleeps. Used by channel.c and select.c only. */
#ifndef SELECT_H
#define SELECT_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct channel;

/* One thread that sleeps; on the stack of that thread. */
struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t woken;
    bool ready; /* something happened in one of its channels */
};

/* The waiter in the list of one channel. */
struct selector {
    struct waiter *waiter;
    struct selector *next;
    struct selector **link; /* what points to this one */
};

/* These are called with the lock of the channel. */
void selector_link(struct selector **list, struct selector *selector);
void selector_unlink(struct selector **list, struct selector *selector);
void selectors_wake(struct selector *list);

void channel_add_selector(struct channel *channel, struct selector *selector);
void channel_remove_selector(struct channel *channel, struct selector *selector);

struct timespec deadline_in(long milliseconds);

#endif
