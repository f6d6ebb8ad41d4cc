/* The nodes that wait for a worker. Whoever works on a node may add others, so an empty list does
 * not mean that the work is over: it is when no node waits and nobody works on one.
 *
 *     while ((node = work_take(&work)) != NULL) {
 *         ... work_add(&work, other) ...
 *         work_done(&work);
 *     }
 */
#ifndef WORK_H
#define WORK_H

#include "tree.h"

#include <pthread.h>
#include <stdatomic.h>

struct work_item;

struct work {
    atomic_ulong unfinished; /* nodes that wait, and those that somebody works on */
    pthread_mutex_t lock;    /* guards what follows */
    pthread_cond_t changed;  /* a node was added, or the list was closed */
    struct work_item *newest;
    bool closed;
};

void work_init(struct work *work);

/* Frees the list and what waits in it; nobody uses it any more. */
void work_destroy(struct work *work);

/* Adds a node. At the start it is called by the owner of the list, later only by somebody who works
 * on a node of it. False if there is no memory. */
bool work_add(struct work *work, const struct node *node);

/* Waits for a node. NULL when the work is over or the list was closed. */
const struct node *work_take(struct work *work);

/* Says that the work on a node is finished, and all nodes it led to have been added. */
void work_done(struct work *work);

/* Ends the work although nodes may wait. */
void work_close(struct work *work);

#endif
