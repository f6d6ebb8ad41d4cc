#include "cache.h"
#include "value.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct entry {
    char *key;
    struct value *value;
    int64_t expires; /* milliseconds */
    atomic_ulong used; /* when it was asked for: readers write this under the read lock */
    struct entry *next; /* in its bucket */
};

/* One part of the cache. */
struct part {
    pthread_rwlock_t lock; /* guards the table; statistics are atomic */
    struct entry **buckets;
    size_t bucket_count;
    size_t count;
    size_t capacity;
    atomic_ulong ticks; /* goes on by one with each use */
    atomic_ulong hits;
    atomic_ulong misses;
#ifdef BUG_STATS_UNDER_READ_LOCK
    unsigned long expired;
#else
    atomic_ulong expired;
#endif
    unsigned long evicted; /* changes under the write lock only */
};

struct cache {
    size_t part_count;
    struct part parts[];
};

static int64_t milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* FNV-1a */
static uint32_t hash(const char *key)
{
    uint32_t hash = 2166136261u;
    for (; *key != '\0'; key++)
        hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

static bool part_init(struct part *part, size_t capacity)
{
    part->bucket_count = capacity < 4 ? 4 : 2 * capacity;
    part->buckets = calloc(part->bucket_count, sizeof *part->buckets);
    part->capacity = capacity;
    return part->buckets != NULL && pthread_rwlock_init(&part->lock, NULL) == 0;
}

struct cache *cache_new(size_t parts, size_t capacity_of_part)
{
    assert(parts > 0 && capacity_of_part > 0);
    struct cache *cache = calloc(1, sizeof *cache + parts * sizeof cache->parts[0]);
    if (cache == NULL)
        return NULL;
    for (size_t i = 0; i < parts; i++) {
        if (!part_init(&cache->parts[i], capacity_of_part)) {
            free(cache->parts[i].buckets);
            cache_free(cache);
            return NULL;
        }
        cache->part_count++;
    }
    return cache;
}

static void entry_free(struct entry *entry)
{
#ifndef BUG_LEAK_KEY
    free(entry->key);
#endif
    value_release(entry->value);
    free(entry);
}

void cache_free(struct cache *cache)
{
    for (size_t i = 0; i < cache->part_count; i++) {
        struct part *part = &cache->parts[i];
        for (size_t bucket = 0; bucket < part->bucket_count; bucket++)
            while (part->buckets[bucket] != NULL) {
                struct entry *entry = part->buckets[bucket];
                part->buckets[bucket] = entry->next;
                entry_free(entry);
            }
        free(part->buckets);
        pthread_rwlock_destroy(&part->lock);
    }
    free(cache);
}

/* The upper bits choose the part, the lower ones the bucket. */
static struct part *part_of(struct cache *cache, uint32_t hash)
{
    return &cache->parts[(hash >> 16) % cache->part_count];
}

/* What points to the entry of the key; what it points to is NULL if there is none. */
static struct entry **find(struct part *part, uint32_t hash, const char *key)
{
    struct entry **link = &part->buckets[hash % part->bucket_count];
    while (*link != NULL && strcmp((*link)->key, key) != 0)
        link = &(*link)->next;
    return link;
}

static void unlink_entry(struct part *part, struct entry **link)
{
    struct entry *entry = *link;
    *link = entry->next;
    part->count--;
    entry_free(entry);
}

/* Removes an entry that was too old when it was read under the read lock. */
static void expire(struct part *part, uint32_t key_hash, const char *key, int64_t now)
{
#ifdef BUG_STATS_UNDER_READ_LOCK
    pthread_rwlock_rdlock(&part->lock);
    part->expired++;
    pthread_rwlock_unlock(&part->lock);
#else
    atomic_fetch_add(&part->expired, 1);
#endif
    pthread_rwlock_wrlock(&part->lock);
    /* Between the two locks somebody else may have removed or replaced it. */
    struct entry **link = find(part, key_hash, key);
#ifdef BUG_NO_SECOND_LOOK
    (void)now;
    unlink_entry(part, link);
#else
    if (*link != NULL && (*link)->expires <= now)
        unlink_entry(part, link);
#endif
    pthread_rwlock_unlock(&part->lock);
}

struct value *cache_get(struct cache *cache, const char *key)
{
    uint32_t key_hash = hash(key);
    struct part *part = part_of(cache, key_hash);
    int64_t now = milliseconds_now();
    struct value *value = NULL;
    bool old = false;

    pthread_rwlock_rdlock(&part->lock);
    struct entry *entry = *find(part, key_hash, key);
    if (entry != NULL) {
        old = entry->expires <= now;
        if (!old) {
            atomic_store(&entry->used, atomic_fetch_add(&part->ticks, 1) + 1);
            value = entry->value;
#ifndef BUG_KEEP_AFTER_UNLOCK
            value_keep(value);
#endif
        }
    }
#ifdef BUG_RETURN_LOCKED
    if (old)
        return NULL; /* an early return that forgets the unlock */
#endif
    pthread_rwlock_unlock(&part->lock);
#ifdef BUG_KEEP_AFTER_UNLOCK
    if (value != NULL)
        value_keep(value); /* a writer may have freed it by now */
#endif
    if (old)
        expire(part, key_hash, key, now);
    atomic_fetch_add(value != NULL ? &part->hits : &part->misses, 1);
    return value;
}

/* Throws away the entry that was not used the longest. The part is not empty, its lock is held. */
static void evict(struct part *part)
{
    struct entry **oldest = NULL;
    for (size_t bucket = 0; bucket < part->bucket_count; bucket++)
        for (struct entry **link = &part->buckets[bucket]; *link != NULL; link = &(*link)->next)
            if (oldest == NULL || atomic_load(&(*link)->used) < atomic_load(&(*oldest)->used))
                oldest = link;
    assert(oldest != NULL);
    unlink_entry(part, oldest);
    part->evicted++;
}

static struct entry *entry_new(const char *key, struct value *value)
{
    struct entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return NULL;
    entry->key = strdup(key);
    if (entry->key == NULL) {
        free(entry);
        return NULL;
    }
    entry->value = value;
    atomic_init(&entry->used, 0);
    entry->next = NULL;
    return entry;
}

struct value *cache_put(struct cache *cache, const char *key, const void *bytes, size_t length,
                        long milliseconds)
{
    uint32_t key_hash = hash(key);
    struct part *part = part_of(cache, key_hash);
    struct value *value = value_new(bytes, length);
    if (value == NULL)
        return NULL;
    struct entry *entry = entry_new(key, value);
    if (entry == NULL) {
        value_release(value);
        return NULL;
    }
    entry->expires = milliseconds_now() + milliseconds;
    value_keep(value); /* one for the cache, one for the caller */

#ifdef BUG_WRITE_UNDER_READ_LOCK
    pthread_rwlock_rdlock(&part->lock);
#else
    pthread_rwlock_wrlock(&part->lock);
#endif
    struct entry **link = find(part, key_hash, key);
    if (*link != NULL)
        unlink_entry(part, link);
    else if (part->count == part->capacity) {
        evict(part);
        link = find(part, key_hash, key); /* the place may have been in the entry that is gone */
    }
    entry->next = *link;
    *link = entry;
    part->count++;
    atomic_store(&entry->used, atomic_fetch_add(&part->ticks, 1) + 1);
    pthread_rwlock_unlock(&part->lock);
    return value;
}

bool cache_remove(struct cache *cache, const char *key)
{
    uint32_t key_hash = hash(key);
    struct part *part = part_of(cache, key_hash);
    pthread_rwlock_wrlock(&part->lock);
    struct entry **link = find(part, key_hash, key);
    bool found = *link != NULL;
    if (found)
        unlink_entry(part, link);
    pthread_rwlock_unlock(&part->lock);
    return found;
}

size_t cache_count(struct cache *cache)
{
    size_t count = 0;
    for (size_t i = 0; i < cache->part_count; i++) {
        pthread_rwlock_rdlock(&cache->parts[i].lock);
        count += cache->parts[i].count;
        pthread_rwlock_unlock(&cache->parts[i].lock);
    }
    return count;
}

struct cache_stats cache_stats(struct cache *cache)
{
    struct cache_stats stats = { 0, 0, 0, 0 };
    for (size_t i = 0; i < cache->part_count; i++) {
        struct part *part = &cache->parts[i];
        pthread_rwlock_rdlock(&part->lock);
        stats.hits += part->hits;
        stats.misses += part->misses;
        stats.evicted += part->evicted;
        stats.expired += part->expired;
        pthread_rwlock_unlock(&part->lock);
    }
    return stats;
}
