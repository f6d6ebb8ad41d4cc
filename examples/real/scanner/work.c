#include "work.h"

#include <stdlib.h>

struct work_item {
    const struct node *node;
    struct work_item *next;
};

void work_init(struct work *work)
{
    work->unfinished = 0;
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->changed, NULL);
    work->newest = NULL;
    work->closed = false;
}

void work_destroy(struct work *work)
{
    while (work->newest != NULL) {
        struct work_item *item = work->newest;
        work->newest = item->next;
        free(item);
    }
    pthread_cond_destroy(&work->changed);
    pthread_mutex_destroy(&work->lock);
}

bool work_add(struct work *work, const struct node *node)
{
    struct work_item *item = malloc(sizeof *item);
    if (item == NULL)
        return false;
    item->node = node;

#ifndef BUG_LATE_COUNT
    work->unfinished++;
#endif
    pthread_mutex_lock(&work->lock);
    item->next = work->newest;
    work->newest = item;
    pthread_cond_signal(&work->changed);
    pthread_mutex_unlock(&work->lock);
#ifdef BUG_LATE_COUNT
    /* Another worker may have taken the node and finished it, and then it believes that nothing is
     * left. */
    work->unfinished++;
#endif
    return true;
}

const struct node *work_take(struct work *work)
{
    const struct node *node = NULL;
    struct work_item *item = NULL;

    pthread_mutex_lock(&work->lock);
    while (work->newest == NULL && !work->closed)
        pthread_cond_wait(&work->changed, &work->lock);
    if (!work->closed) {
        item = work->newest;
        work->newest = item->next;
        node = item->node;
    }
    pthread_mutex_unlock(&work->lock);
    free(item);
    return node;
}

void work_done(struct work *work)
{
    if (--work->unfinished == 0)
        work_close(work);
}

void work_close(struct work *work)
{
#ifdef BUG_UNLOCKED_CLOSE
    /* "The flag only ever becomes true": a worker that has just read it, and does not wait yet,
     * misses the broadcast and sleeps for ever. */
    work->closed = true;
    pthread_cond_broadcast(&work->changed);
#else
    pthread_mutex_lock(&work->lock);
    work->closed = true;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
#endif
}
