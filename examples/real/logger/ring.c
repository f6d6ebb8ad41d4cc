#include "ring.h"

#include <assert.h>
#include <stdlib.h>

bool ring_init(struct ring *ring, size_t capacity)
{
    assert(capacity > 0);
    ring->slots = malloc(capacity * sizeof *ring->slots);
    ring->capacity = capacity;
    ring->oldest = 0;
    ring->length = 0;
    return ring->slots != NULL;
}

void ring_destroy(struct ring *ring)
{
    free(ring->slots);
}

bool ring_is_empty(const struct ring *ring)
{
    return ring->length == 0;
}

bool ring_is_full(const struct ring *ring)
{
    return ring->length == ring->capacity;
}

struct log_record *ring_push(struct ring *ring)
{
    assert(!ring_is_full(ring));
    size_t slot = (ring->oldest + ring->length) % ring->capacity;
    ring->length++;
    return &ring->slots[slot];
}

const struct log_record *ring_oldest(const struct ring *ring)
{
    assert(!ring_is_empty(ring));
    return &ring->slots[ring->oldest];
}

void ring_release(struct ring *ring)
{
    assert(!ring_is_empty(ring));
    ring->oldest = (ring->oldest + 1) % ring->capacity;
    ring->length--;
}
