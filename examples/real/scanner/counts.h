/* What is counted in texts. */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdbool.h>

struct counts {
    unsigned long files;
    unsigned long lines;   /* ends of lines */
    unsigned long words;   /* what stands between white space */
    unsigned long matches; /* words that are equal to the one that is looked for */
};

/* Counts one file. A word matches if it differs from `wanted` in upper and lower case at most. */
struct counts counts_of_text(const char *text, const char *wanted);

struct counts counts_sum(struct counts a, struct counts b);
bool counts_equal(struct counts a, struct counts b);

#endif
