/* A logger for programs with threads: callers put records into a ring of fixed size, one thread
 * takes them out and writes them.
 *
 *     struct logger *logger = logger_create(256, LOG_BLOCK, write_line, stderr);
 *     logger_log(logger, LOG_WARNING, 3, "the disk is nearly full");
 *     logger_flush(logger);
 *     logger_close(logger);
 *     logger_destroy(logger);
 *
 * All functions may be called by any thread, with two exceptions: logger_close and logger_destroy
 * are called once each, in this order, and nobody uses the logger during or after logger_destroy.
 */
#ifndef LOGGER_H
#define LOGGER_H

#include "record.h"

struct logger;

/* What becomes of a record for which there is no room. */
enum log_policy {
    LOG_BLOCK, /* the caller waits for room */
    LOG_DROP,  /* the record is lost, and counted */
};

enum log_outcome {
    LOG_ACCEPTED, /* the record is in the ring and will be written */
    LOG_FILTERED, /* its level is too low */
    LOG_DROPPED,  /* there was no room */
    LOG_CLOSED,   /* the logger is closed */
};

struct log_stats {
    unsigned long accepted;
    unsigned long dropped;
    unsigned long written;
};

/* Writes one record. It is called by the thread of the logger alone, without any lock. */
typedef void log_sink(void *arg, const struct log_record *record);

/* Starts the writer. NULL if there is no memory or no thread. */
struct logger *logger_create(size_t capacity, enum log_policy policy, log_sink *sink, void *arg);

/* Records below this level are left out from now on; LOG_DEBUG, the lowest, at first. */
void logger_set_level(struct logger *logger, enum log_level level);

enum log_outcome logger_log(struct logger *logger, enum log_level level, unsigned source,
                            const char *text);

/* Returns when every record that was accepted before the call has been written. */
void logger_flush(struct logger *logger);

/* A consistent picture of the counters. */
struct log_stats logger_stats(struct logger *logger);

/* Refuses new records, writes those that are there, and ends the writer. */
void logger_close(struct logger *logger);

/* Frees a logger that has been closed. */
void logger_destroy(struct logger *logger);

#endif
