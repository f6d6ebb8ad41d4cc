/* A sink that remembers what it has seen of each source, checks that nothing comes out of order,
 * and can write the records to a stream. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "record.h"

#include <stdio.h>

/* Sources are numbered from 0. */
#ifndef SOURCES
#define SOURCES 8
#endif

struct journal {
    FILE *stream;           /* NULL if the records are only counted */
    unsigned long sequence; /* of the last record */
    unsigned long seen[SOURCES];
};

void journal_init(struct journal *journal, FILE *stream);

/* A log_sink; `arg` is the journal. */
void journal_write(void *arg, const struct log_record *record);

#endif
