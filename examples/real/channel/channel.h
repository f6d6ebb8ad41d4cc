/* Channels: queues of items through which threads talk to each other.
 *
 *     struct channel *numbers = channel_new(16, sizeof(long));
 *     channel_send(numbers, &number);                     in one thread
 *     while (channel_recv(numbers, &number) == CHANNEL_OK)  in another one
 *         use(number);
 *     channel_close(numbers);                             no more is sent
 *
 * Items are copied. A channel of capacity 0 hands each item over from hand to hand: a send
 * returns when the item was taken. All functions may be called by any thread; channel_free only
 * when nobody uses the channel any more.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

struct channel;

enum channel_status {
    CHANNEL_OK,
    CHANNEL_CLOSED,      /* nothing more can be sent, or nothing more will come */
    CHANNEL_WOULD_BLOCK, /* only from the functions that do not wait */
    CHANNEL_TIMEOUT,     /* only from channel_recv_until and channel_select */
};

struct channel *channel_new(size_t capacity, size_t item_size);
void channel_free(struct channel *channel);

enum channel_status channel_send(struct channel *channel, const void *item);
enum channel_status channel_recv(struct channel *channel, void *item);
enum channel_status channel_try_send(struct channel *channel, const void *item);
enum channel_status channel_try_recv(struct channel *channel, void *item);

/* Waits for at most so many milliseconds. */
enum channel_status channel_recv_until(struct channel *channel, void *item, long milliseconds);

/* Items that are in the channel are still received. Closing twice does nothing. */
void channel_close(struct channel *channel);

/* Items that wait in the channel now; the next moment it may be another number. */
size_t channel_length(struct channel *channel);

/* Receives from the first of several channels that has something. */
struct channel_case {
    struct channel *channel;
    void *item;
    enum channel_status status; /* after the select: CHANNEL_OK or CHANNEL_CLOSED */
};

/* Waits until one of the cases can go on, for at most `milliseconds` (-1: for ever). Returns its
 * index, or -1 if the time is over. */
int channel_select(struct channel_case *cases, size_t count, long milliseconds);

const char *channel_status_name(enum channel_status status);

#endif
