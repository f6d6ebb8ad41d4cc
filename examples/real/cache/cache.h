/* A cache of a limited number of values. When it is full, the value that was not asked for the
 * longest is thrown away. Many threads read at a time.
 *
 *     const struct value *value = cache_get(cache, "key");
 *     if (value == NULL)
 *         value = cache_put(cache, "key", "text", 5, 60000);
 *     ...
 *     value_release(value);
 *
 * A value that was got stays valid until it is released, also when the cache has thrown it away.
 */
#ifndef CACHE_H
#define CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct cache;
struct value;

struct cache_stats {
    unsigned long hits;
    unsigned long misses;
    unsigned long evicted;
    unsigned long expired;
};

/* Keys are spread over so many parts, each with a lock of its own. */
struct cache *cache_new(size_t parts, size_t capacity_of_part);
void cache_free(struct cache *cache);

/* NULL if there is none, or it is too old. */
struct value *cache_get(struct cache *cache, const char *key);

/* Replaces what was there. The bytes are copied. NULL if there is no memory. */
struct value *cache_put(struct cache *cache, const char *key, const void *bytes, size_t length,
                        long milliseconds);

bool cache_remove(struct cache *cache, const char *key);

/* Values that are in the cache. */
size_t cache_count(struct cache *cache);
struct cache_stats cache_stats(struct cache *cache);

const void *value_bytes(const struct value *value);
size_t value_length(const struct value *value);
void value_release(struct value *value);

#endif
