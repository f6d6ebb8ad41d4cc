#include "value.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct value {
#ifdef BUG_PLAIN_COUNT
    int users;
#else
    atomic_int users;
#endif
    size_t length;
    unsigned char bytes[];
};

struct value *value_new(const void *bytes, size_t length)
{
    struct value *value = malloc(sizeof *value + length);
    if (value == NULL)
        return NULL;
#ifdef BUG_PLAIN_COUNT
    value->users = 1;
#else
    atomic_init(&value->users, 1);
#endif
    value->length = length;
    memcpy(value->bytes, bytes, length);
    return value;
}

void value_keep(struct value *value)
{
#ifdef BUG_PLAIN_COUNT
    value->users++;
#else
    atomic_fetch_add_explicit(&value->users, 1, memory_order_relaxed);
#endif
}

void value_release(struct value *value)
{
    if (value == NULL)
        return;
#ifdef BUG_PLAIN_COUNT
    if (--value->users == 0)
        free(value);
#elif defined BUG_RELEASE_IN_TWO_STEPS
    /* Two users may both find that they are the last, or both that they are not. */
    atomic_fetch_sub(&value->users, 1);
    if (atomic_load(&value->users) == 0)
        free(value);
#else
    if (atomic_fetch_sub_explicit(&value->users, 1, memory_order_acq_rel) == 1)
        free(value);
#endif
}

const void *value_bytes(const struct value *value)
{
    return value->bytes;
}

size_t value_length(const struct value *value)
{
    return value->length;
}
