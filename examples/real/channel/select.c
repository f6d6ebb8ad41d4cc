#include "select.h"
#include "channel.h"

#include <errno.h>
#include <stdlib.h>

struct timespec deadline_in(long milliseconds)
{
    struct timespec at;

    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += milliseconds / 1000;
    at.tv_nsec += milliseconds % 1000 * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

void selector_link(struct selector **list, struct selector *selector)
{
    selector->next = *list;
    selector->link = list;
    if (*list != NULL)
        (*list)->link = &selector->next;
    *list = selector;
}

void selector_unlink(struct selector **list, struct selector *selector)
{
    (void)list;
    *selector->link = selector->next;
    if (selector->next != NULL)
        selector->next->link = selector->link;
}

static void waiter_wake(struct waiter *waiter)
{
    pthread_mutex_lock(&waiter->lock);
    waiter->ready = true;
    pthread_cond_signal(&waiter->woken);
    pthread_mutex_unlock(&waiter->lock);
}

void selectors_wake(struct selector *list)
{
    for (struct selector *each = list; each != NULL; each = each->next)
        waiter_wake(each->waiter);
}

/* Sleeps until something happened. False if the time is over. */
static bool waiter_sleep(struct waiter *waiter, const struct timespec *deadline)
{
    int error = 0;

    pthread_mutex_lock(&waiter->lock);
    while (!waiter->ready && error != ETIMEDOUT)
        error = deadline == NULL
                    ? pthread_cond_wait(&waiter->woken, &waiter->lock)
                    : pthread_cond_timedwait(&waiter->woken, &waiter->lock, deadline);
    bool ready = waiter->ready;
    waiter->ready = false;
    pthread_mutex_unlock(&waiter->lock);
    return ready;
}

/* The first case, counted from `start`, that does not have to wait; -1 if there is none. */
static int try_cases(struct channel_case *cases, size_t count, size_t start)
{
    for (size_t i = 0; i < count; i++) {
        size_t index = (start + i) % count;
        cases[index].status = channel_try_recv(cases[index].channel, cases[index].item);
        if (cases[index].status != CHANNEL_WOULD_BLOCK)
            return (int)index;
    }
    return -1;
}

int channel_select(struct channel_case *cases, size_t count, long milliseconds)
{
    /* Another start each time, or the first channel would starve the others. */
    static _Thread_local size_t turn;
    size_t start = count > 0 ? turn++ % count : 0;
    int chosen = try_cases(cases, count, start);
    if (chosen >= 0 || milliseconds == 0 || count == 0)
        return chosen;

    struct timespec deadline;
    if (milliseconds > 0)
        deadline = deadline_in(milliseconds);
    struct waiter waiter = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false };
    struct selector *selectors = calloc(count, sizeof *selectors);
    if (selectors == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        selectors[i].waiter = &waiter;
        channel_add_selector(cases[i].channel, &selectors[i]);
    }
    bool more = true;
#ifdef BUG_SLEEP_FIRST
    /* What came between the first try and the list is not seen. */
    do
        more = waiter_sleep(&waiter, milliseconds > 0 ? &deadline : NULL);
    while ((chosen = try_cases(cases, count, start)) < 0 && more);
#else
    while ((chosen = try_cases(cases, count, start)) < 0 && more)
        more = waiter_sleep(&waiter, milliseconds > 0 ? &deadline : NULL);
#endif
#ifndef BUG_STALE_SELECTOR
    for (size_t i = 0; i < count; i++)
        channel_remove_selector(cases[i].channel, &selectors[i]);
#else
    /* Only where an item was received; a sender on the other channel wakes what is gone. */
    if (chosen >= 0)
        channel_remove_selector(cases[chosen].channel, &selectors[chosen]);
#endif
    free(selectors);
    pthread_cond_destroy(&waiter.woken);
    pthread_mutex_destroy(&waiter.lock);
    return chosen;
}
