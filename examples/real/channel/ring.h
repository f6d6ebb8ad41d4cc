/* A ring buffer of items of one size. It has no lock of its own. */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>

struct ring {
    unsigned char *bytes;
    size_t capacity; /* in items */
    size_t item_size;
    size_t first;
    size_t length;
};

bool ring_init(struct ring *ring, size_t capacity, size_t item_size);
void ring_destroy(struct ring *ring);
bool ring_is_full(const struct ring *ring);
bool ring_is_empty(const struct ring *ring);
void ring_put(struct ring *ring, const void *item);
void ring_take(struct ring *ring, void *item);

#endif
