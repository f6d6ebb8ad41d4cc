#include "logger.h"
#include "ring.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct logger {
    log_sink *sink; /* these three never change */
    void *sink_arg;
    enum log_policy policy;
#ifdef BUG_PLAIN_LEVEL
    int level; /* "it is only an int": read by callers while another thread sets it */
#else
    atomic_int level; /* read without the lock: most records end there */
#endif
    pthread_mutex_t lock;   /* guards all that follows, but the thread */
    pthread_cond_t arrived; /* a record is in the ring, or the logger is closing */
    pthread_cond_t room;    /* a slot became free, or the logger is closing */
    pthread_cond_t flushed; /* a record was written */
    struct ring ring;
    bool closing;
    struct log_stats stats;
    pthread_t writer;
};

/* Waits for a record. NULL when there will be no more of them. */
static const struct log_record *next_record(struct logger *logger)
{
    const struct log_record *record = NULL;

    pthread_mutex_lock(&logger->lock);
    while (ring_is_empty(&logger->ring) && !logger->closing)
        pthread_cond_wait(&logger->arrived, &logger->lock);
#ifdef BUG_CLOSE_LOSES
    /* "Closing means to stop": what is still in the ring is never written. */
    if (!logger->closing)
        record = ring_oldest(&logger->ring);
#else
    if (!ring_is_empty(&logger->ring))
        record = ring_oldest(&logger->ring);
#endif
#ifdef BUG_EARLY_RELEASE
    /* "The writer has the record, so there is room for another one": but it has only a pointer
     * into the ring, and a caller may overwrite the record while it is written. */
    if (record != NULL) {
        ring_release(&logger->ring);
        pthread_cond_signal(&logger->room);
    }
#endif
    pthread_mutex_unlock(&logger->lock);
    return record;
}

/* Counts a record that has been written, and makes room for another one. */
static void finish_record(struct logger *logger)
{
    pthread_mutex_lock(&logger->lock);
    logger->stats.written++;
#ifndef BUG_EARLY_RELEASE
    ring_release(&logger->ring);
    /* One slot is room for one caller. */
    pthread_cond_signal(&logger->room);
#endif
#ifdef BUG_SIGNAL_FLUSHED
    /* Callers wait for different records. The signal may wake one whose record is not written yet,
     * and the one whose record it was sleeps for ever. */
    pthread_cond_signal(&logger->flushed);
#else
    pthread_cond_broadcast(&logger->flushed);
#endif
    pthread_mutex_unlock(&logger->lock);
}

static void *write_records(void *arg)
{
    struct logger *logger = arg;
    const struct log_record *record;

    while ((record = next_record(logger)) != NULL) {
        /* Without the lock, since a sink may be slow: the slot is not free before finish_record. */
        logger->sink(logger->sink_arg, record);
        finish_record(logger);
    }
    return NULL;
}

struct logger *logger_create(size_t capacity, enum log_policy policy, log_sink *sink, void *arg)
{
    struct logger *logger = malloc(sizeof *logger);
    if (logger == NULL)
        return NULL;
    if (!ring_init(&logger->ring, capacity)) {
        free(logger);
        return NULL;
    }
    logger->sink = sink;
    logger->sink_arg = arg;
    logger->policy = policy;
    logger->level = LOG_DEBUG;
    pthread_mutex_init(&logger->lock, NULL);
    pthread_cond_init(&logger->arrived, NULL);
    pthread_cond_init(&logger->room, NULL);
    pthread_cond_init(&logger->flushed, NULL);
    logger->closing = false;
    logger->stats = (struct log_stats){ 0, 0, 0 };
    if (pthread_create(&logger->writer, NULL, write_records, logger) != 0) {
        logger_destroy(logger);
        return NULL;
    }
    return logger;
}

void logger_set_level(struct logger *logger, enum log_level level)
{
    logger->level = level;
}

/* Waits for room if the policy says so. The lock is held before and after. */
static enum log_outcome find_room(struct logger *logger)
{
    while (logger->policy == LOG_BLOCK && ring_is_full(&logger->ring) && !logger->closing)
        pthread_cond_wait(&logger->room, &logger->lock);
    if (logger->closing)
        return LOG_CLOSED;
    return ring_is_full(&logger->ring) ? LOG_DROPPED : LOG_ACCEPTED;
}

static void add_record(struct logger *logger, enum log_level level, unsigned source,
                       const char *text)
{
    logger->stats.accepted++;
    record_fill(ring_push(&logger->ring), level, source, logger->stats.accepted, text);
    pthread_cond_signal(&logger->arrived);
}

enum log_outcome logger_log(struct logger *logger, enum log_level level, unsigned source,
                            const char *text)
{
    if ((int)level < logger->level)
        return LOG_FILTERED;

    pthread_mutex_lock(&logger->lock);
    enum log_outcome outcome = find_room(logger);
    if (outcome == LOG_ACCEPTED)
        add_record(logger, level, source, text);
#ifdef BUG_UNLOCKED_DROPS
    pthread_mutex_unlock(&logger->lock);
    if (outcome == LOG_DROPPED)
        logger->stats.dropped++; /* two callers lose an update */
#else
    if (outcome == LOG_DROPPED)
        logger->stats.dropped++;
    pthread_mutex_unlock(&logger->lock);
#endif
    return outcome;
}

void logger_flush(struct logger *logger)
{
    pthread_mutex_lock(&logger->lock);
    /* Records are written in the order of their numbers, so it is enough to wait for a number. */
    unsigned long last = logger->stats.accepted;
    while (logger->stats.written < last)
        pthread_cond_wait(&logger->flushed, &logger->lock);
    pthread_mutex_unlock(&logger->lock);
}

struct log_stats logger_stats(struct logger *logger)
{
    pthread_mutex_lock(&logger->lock);
    struct log_stats stats = logger->stats;
    pthread_mutex_unlock(&logger->lock);
    return stats;
}

void logger_close(struct logger *logger)
{
    pthread_mutex_lock(&logger->lock);
    assert(!logger->closing);
    logger->closing = true;
    pthread_cond_signal(&logger->arrived);
    pthread_cond_broadcast(&logger->room);
    pthread_mutex_unlock(&logger->lock);
    pthread_join(logger->writer, NULL);
}

void logger_destroy(struct logger *logger)
{
    assert(ring_is_empty(&logger->ring));
    pthread_cond_destroy(&logger->flushed);
    pthread_cond_destroy(&logger->room);
    pthread_cond_destroy(&logger->arrived);
    pthread_mutex_destroy(&logger->lock);
    ring_destroy(&logger->ring);
    free(logger);
}
