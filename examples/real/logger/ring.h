/* A ring of records. It has no lock of its own: whoever owns the ring holds one.
 *
 * A record is written and read in place. A slot belongs to the ring from ring_push to ring_release,
 * and nobody else writes it in between; so the oldest record can be read without the lock.
 */
#ifndef RING_H
#define RING_H

#include "record.h"

#include <stdbool.h>

struct ring {
    struct log_record *slots;
    size_t capacity;
    size_t oldest; /* index of the oldest record */
    size_t length; /* records in the ring */
};

/* False if there is no memory. */
bool ring_init(struct ring *ring, size_t capacity);
void ring_destroy(struct ring *ring);

bool ring_is_empty(const struct ring *ring);
bool ring_is_full(const struct ring *ring);

/* Takes the next free slot, which the caller fills before it gives up the lock. The ring must not
 * be full. */
struct log_record *ring_push(struct ring *ring);

/* The oldest record, which stays in the ring. The ring must not be empty. */
const struct log_record *ring_oldest(const struct ring *ring);

/* Makes the slot of the oldest record free. */
void ring_release(struct ring *ring);

#endif
