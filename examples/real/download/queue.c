#include "queue.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

void queue_init(struct queue *queue)
{
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue->transfers = NULL;
    queue->count = queue->room = queue->next = queue->finished = 0;
    atomic_init(&queue->stop, false);
}

void queue_destroy(struct queue *queue)
{
    for (size_t i = 0; i < queue->count; i++)
        free(queue->transfers[i]);
#ifndef BUG_LEAK_ARRAY
    free(queue->transfers);
#endif
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
}

bool queue_add(struct queue *queue, const char *address)
{
    if (queue->count == queue->room) {
        size_t room = queue->room == 0 ? 4 : 2 * queue->room;
        struct transfer **longer = realloc(queue->transfers, room * sizeof *longer);
        if (longer == NULL)
            return false;
        queue->transfers = longer;
        queue->room = room;
    }
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL)
        return false;
    if (!url_parse(address, &transfer->url)) {
#ifdef BUG_FREED_TWICE
        queue->transfers[queue->count++] = transfer;
#endif
        free(transfer);
        errno = EINVAL;
        return false;
    }
    queue->transfers[queue->count++] = transfer;
    return true;
}

struct transfer *queue_take(struct queue *queue)
{
    struct transfer *transfer = NULL;
#ifdef BUG_LOOK_BEFORE_LOCK
    if (queue->next == queue->count)
        return NULL;
    pthread_mutex_lock(&queue->lock);
    transfer = queue->transfers[queue->next++];
    transfer->state = TRANSFER_RUNNING;
#else
    pthread_mutex_lock(&queue->lock);
    if (queue->next < queue->count && !atomic_load(&queue->stop)) {
        transfer = queue->transfers[queue->next++];
        transfer->state = TRANSFER_RUNNING;
    }
#endif
    pthread_mutex_unlock(&queue->lock);
    return transfer;
}

void queue_finish(struct queue *queue, struct transfer *transfer, bool fine)
{
    pthread_mutex_lock(&queue->lock);
    transfer->state = fine ? TRANSFER_DONE : TRANSFER_FAILED;
    queue->finished++;
    pthread_cond_signal(&queue->changed);
#ifdef BUG_UNLOCK_ON_ERROR
    if (!fine)
        return; /* the lock stays locked */
#endif
    pthread_mutex_unlock(&queue->lock);
}

bool queue_wait(struct queue *queue)
{
    struct timespec until;
    int error = 0;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&queue->lock);
    while (queue->finished < queue->count && !atomic_load(&queue->stop) && error == 0)
        error = pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
    bool over = queue->finished == queue->count || atomic_load(&queue->stop);
    pthread_mutex_unlock(&queue->lock);
    return over;
}

void queue_stop(struct queue *queue)
{
    atomic_store(&queue->stop, true);
}
