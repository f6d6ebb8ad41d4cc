/* Counts lines, words and one special word in all files of a tree, with several threads.
 *
 *     struct scan *scan = scan_start(root, "needle", 4, SCAN_ALL);
 *     ...
 *     struct counts total = scan_finish(scan);
 *
 * The tree must not change before scan_finish has returned. scan_finish is called once, and nobody
 * uses the scan during or after it.
 */
#ifndef SCANNER_H
#define SCANNER_H

#include "counts.h"
#include "tree.h"

#include <stddef.h>

struct scan;

/* As the limit of a scan: look at every file. */
#define SCAN_ALL 0

/* Starts the workers. The scan ends early when it has found `limit` matches or a few more: a file
 * that was begun is counted to its end. NULL if there is no memory. */
struct scan *scan_start(const struct node *root, const char *wanted, size_t workers,
                        unsigned long limit);

/* How many files have been counted so far. */
unsigned long scan_progress(struct scan *scan);

/* Ends a scan early. It need not be waited for. */
void scan_stop(struct scan *scan);

/* Helps the workers until the scan is over, frees it, and returns what was counted. */
struct counts scan_finish(struct scan *scan);

#endif
