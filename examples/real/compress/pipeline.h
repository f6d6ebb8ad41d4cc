/* A pipeline: one thread reads blocks, several work on them, the caller writes them in order. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

struct block {
    unsigned long number;
    unsigned char *bytes;
    size_t length;
    size_t room;
    struct block *next;
};

enum step {
    STEP_OK,
    STEP_END,   /* from the reader: there is nothing more */
    STEP_ERROR, /* errno says which */
};

struct pipeline_jobs {
    void *context;
    enum step (*read)(void *context, struct block *block);
    enum step (*work)(void *context, struct block *block); /* by several threads at a time */
    enum step (*write)(void *context, const struct block *block);
};

/* Runs until the end or the first error. At most `window` blocks are under way. Returns 0 or the
 * number of an error. */
int pipeline_run(const struct pipeline_jobs *jobs, size_t workers, size_t window);

bool block_reserve(struct block *block, size_t room);

#endif
