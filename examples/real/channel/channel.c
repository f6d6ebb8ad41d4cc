#include "channel.h"
#include "ring.h"
#include "select.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct channel {
    pthread_mutex_t lock; /* guards everything */
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    pthread_cond_t taken; /* an item of an unbuffered channel was taken */
    struct ring ring;
    bool unbuffered;
    bool closed;
    unsigned long sent;     /* items that were put into the ring */
    unsigned long received; /* items that were taken from it */
    struct selector *selectors;
};

/* Locks fail only if the program is wrong; going on would hide that. */
static void must(int error, const char *what)
{
    if (error != 0) {
        fprintf(stderr, "channel: %s: %s\n", what, strerror(error));
        abort();
    }
}

struct channel *channel_new(size_t capacity, size_t item_size)
{
    struct channel *channel = calloc(1, sizeof *channel);
    if (channel == NULL)
        return NULL;
    channel->unbuffered = capacity == 0;
    if (!ring_init(&channel->ring, capacity == 0 ? 1 : capacity, item_size)) {
        free(channel);
        return NULL;
    }
    must(pthread_mutex_init(&channel->lock, NULL), "mutex_init");
    must(pthread_cond_init(&channel->not_empty, NULL), "cond_init");
    must(pthread_cond_init(&channel->not_full, NULL), "cond_init");
    must(pthread_cond_init(&channel->taken, NULL), "cond_init");
    return channel;
}

void channel_free(struct channel *channel)
{
    if (channel == NULL)
        return;
    must(pthread_cond_destroy(&channel->taken), "cond_destroy");
    must(pthread_cond_destroy(&channel->not_full), "cond_destroy");
    must(pthread_cond_destroy(&channel->not_empty), "cond_destroy");
    must(pthread_mutex_destroy(&channel->lock), "mutex_destroy");
    ring_destroy(&channel->ring);
    free(channel);
}

static void lock(struct channel *channel)
{
    must(pthread_mutex_lock(&channel->lock), "lock");
}

static void unlock(struct channel *channel)
{
    must(pthread_mutex_unlock(&channel->lock), "unlock");
}

/* Puts an item into the ring, which is not full. The lock is held. */
static void put(struct channel *channel, const void *item)
{
    ring_put(&channel->ring, item);
    channel->sent++;
    must(pthread_cond_signal(&channel->not_empty), "signal");
    selectors_wake(channel->selectors);
}

static void take(struct channel *channel, void *item)
{
    ring_take(&channel->ring, item);
    channel->received++;
#ifdef BUG_NO_ROOM_SIGNAL
    /* A sender is told of room only when the ring was full, but then only one of several senders
     * that wait is told, and the next item is taken from a ring that is not full. */
    if (channel->ring.length + 1 == channel->ring.capacity)
#endif
        must(pthread_cond_signal(&channel->not_full), "signal");
    if (channel->unbuffered)
        must(pthread_cond_broadcast(&channel->taken), "broadcast");
}

enum channel_status channel_send(struct channel *channel, const void *item)
{
    lock(channel);
    while (!channel->closed && ring_is_full(&channel->ring))
        must(pthread_cond_wait(&channel->not_full, &channel->lock), "wait");
    if (channel->closed) {
        unlock(channel);
        return CHANNEL_CLOSED;
    }
    put(channel, item);
    enum channel_status status = CHANNEL_OK;
    if (channel->unbuffered) {
        unsigned long ticket = channel->sent;
        while (!channel->closed && channel->received < ticket)
            must(pthread_cond_wait(&channel->taken, &channel->lock), "wait");
        if (channel->received < ticket)
            status = CHANNEL_CLOSED;
    }
    unlock(channel);
    return status;
}

enum channel_status channel_try_send(struct channel *channel, const void *item)
{
    enum channel_status status = CHANNEL_OK;

    lock(channel);
    if (channel->closed)
        status = CHANNEL_CLOSED;
    else if (channel->unbuffered || ring_is_full(&channel->ring))
        status = CHANNEL_WOULD_BLOCK;
    else
        put(channel, item);
    unlock(channel);
    return status;
}

/* What can be received at once. The lock is held. */
static enum channel_status receive_now(struct channel *channel, void *item)
{
    if (!ring_is_empty(&channel->ring)) {
        take(channel, item);
        return CHANNEL_OK;
    }
    return channel->closed ? CHANNEL_CLOSED : CHANNEL_WOULD_BLOCK;
}

enum channel_status channel_recv(struct channel *channel, void *item)
{
    enum channel_status status;

    lock(channel);
#ifdef BUG_IF_FOR_WHILE
    if (ring_is_empty(&channel->ring) && !channel->closed)
#else
    while (ring_is_empty(&channel->ring) && !channel->closed)
#endif
        must(pthread_cond_wait(&channel->not_empty, &channel->lock), "wait");
#ifdef BUG_IF_FOR_WHILE
    take(channel, item);
    status = CHANNEL_OK;
#else
    status = receive_now(channel, item);
#endif
    unlock(channel);
    return status;
}

enum channel_status channel_try_recv(struct channel *channel, void *item)
{
    lock(channel);
    enum channel_status status = receive_now(channel, item);
    unlock(channel);
    return status;
}

enum channel_status channel_recv_until(struct channel *channel, void *item, long milliseconds)
{
    struct timespec deadline = deadline_in(milliseconds);
    enum channel_status status;
    int error = 0;

    lock(channel);
    while ((status = receive_now(channel, item)) == CHANNEL_WOULD_BLOCK && error != ETIMEDOUT) {
        error = pthread_cond_timedwait(&channel->not_empty, &channel->lock, &deadline);
        if (error != ETIMEDOUT)
            must(error, "timedwait");
    }
    unlock(channel);
    return status == CHANNEL_WOULD_BLOCK ? CHANNEL_TIMEOUT : status;
}

void channel_close(struct channel *channel)
{
    lock(channel);
    channel->closed = true;
#ifdef BUG_CLOSE_SIGNALS
    must(pthread_cond_signal(&channel->not_empty), "signal");
#else
    must(pthread_cond_broadcast(&channel->not_empty), "broadcast");
#endif
    must(pthread_cond_broadcast(&channel->not_full), "broadcast");
    must(pthread_cond_broadcast(&channel->taken), "broadcast");
    selectors_wake(channel->selectors);
    unlock(channel);
}

size_t channel_length(struct channel *channel)
{
#ifdef BUG_UNLOCKED_LENGTH
    return channel->ring.length;
#else
    lock(channel);
    size_t length = channel->ring.length;
    unlock(channel);
    return length;
#endif
}

void channel_add_selector(struct channel *channel, struct selector *selector)
{
    lock(channel);
    selector_link(&channel->selectors, selector);
    unlock(channel);
}

void channel_remove_selector(struct channel *channel, struct selector *selector)
{
    lock(channel);
    selector_unlink(&channel->selectors, selector);
    unlock(channel);
}

const char *channel_status_name(enum channel_status status)
{
    static const char *const names[] = {
        [CHANNEL_OK] = "ok",
        [CHANNEL_CLOSED] = "closed",
        [CHANNEL_WOULD_BLOCK] = "would block",
        [CHANNEL_TIMEOUT] = "time is over",
    };
    if ((size_t)status >= sizeof names / sizeof names[0])
        return "?";
    return names[status];
}
