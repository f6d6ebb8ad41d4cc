#include "ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool ring_init(struct ring *ring, size_t capacity, size_t item_size)
{
    assert(capacity > 0 && item_size > 0);
    ring->bytes = calloc(capacity, item_size);
    ring->capacity = capacity;
    ring->item_size = item_size;
    ring->first = 0;
    ring->length = 0;
    return ring->bytes != NULL;
}

void ring_destroy(struct ring *ring)
{
    free(ring->bytes);
    ring->bytes = NULL;
}

bool ring_is_full(const struct ring *ring)
{
    return ring->length == ring->capacity;
}

bool ring_is_empty(const struct ring *ring)
{
    return ring->length == 0;
}

static unsigned char *slot(const struct ring *ring, size_t index)
{
#ifdef BUG_WRAP
    /* Right until the ring wraps for the first time. */
    return ring->bytes + index * ring->item_size;
#else
    return ring->bytes + index % ring->capacity * ring->item_size;
#endif
}

void ring_put(struct ring *ring, const void *item)
{
    assert(!ring_is_full(ring));
    memcpy(slot(ring, ring->first + ring->length), item, ring->item_size);
    ring->length++;
}

void ring_take(struct ring *ring, void *item)
{
    assert(!ring_is_empty(ring));
    memcpy(item, slot(ring, ring->first), ring->item_size);
    ring->first = (ring->first + 1) % ring->capacity;
    ring->length--;
}
