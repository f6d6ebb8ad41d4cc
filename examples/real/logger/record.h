/* One entry of the log. */
#ifndef RECORD_H
#define RECORD_H

#include <stddef.h>

/* Bytes of a text with the zero at its end; longer texts are cut. */
#ifndef LOG_TEXT
#define LOG_TEXT 64
#endif

enum log_level {
    LOG_DEBUG,
    LOG_INFO,
    LOG_WARNING,
    LOG_ERROR,
};

struct log_record {
    enum log_level level;
    unsigned source;        /* who wrote it: a number the caller chooses */
    unsigned long sequence; /* 1, 2, ... over all records the logger has accepted */
    char text[LOG_TEXT];
};

void record_fill(struct log_record *record, enum log_level level, unsigned source,
                 unsigned long sequence, const char *text);

/* "debug", "info", ... */
const char *level_name(enum log_level level);

#endif
