#include "pipeline.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct pipeline {
    const struct pipeline_jobs *jobs;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t room;  /* fewer blocks are under way, or an error */
    pthread_cond_t input; /* a block was read, or there is no more */
    pthread_cond_t output; /* a block is finished, or there will be none */
    size_t window;
    size_t under_way; /* blocks that were read and not written */
    unsigned long read;
    unsigned long written;
    bool ended; /* nothing more is read */
    int error;
    struct block *waiting; /* for a worker, oldest first */
    struct block **waiting_end;
    struct block *finished; /* for the writer, by number */
};

bool block_reserve(struct block *block, size_t room)
{
    if (room > block->room) {
        unsigned char *bytes = realloc(block->bytes, room);
        if (bytes == NULL)
            return false;
        block->bytes = bytes;
        block->room = room;
    }
    return true;
}

static void free_block(struct block *block)
{
    free(block->bytes);
    free(block);
}

static void free_list(struct block *list)
{
    while (list != NULL) {
        struct block *next = list->next;
        free_block(list);
        list = next;
    }
}

/* All are told of an error, so that nobody waits for what will not come. */
static void fail(struct pipeline *pipeline, int error)
{
    pthread_mutex_lock(&pipeline->lock);
    if (pipeline->error == 0)
        pipeline->error = error;
    pipeline->ended = true;
    pthread_cond_broadcast(&pipeline->room);
    pthread_cond_broadcast(&pipeline->input);
    pthread_cond_broadcast(&pipeline->output);
    pthread_mutex_unlock(&pipeline->lock);
}

static bool wait_for_room(struct pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    while (pipeline->under_way == pipeline->window && pipeline->error == 0)
        pthread_cond_wait(&pipeline->room, &pipeline->lock);
    bool go_on = pipeline->error == 0;
    if (go_on)
        pipeline->under_way++;
    pthread_mutex_unlock(&pipeline->lock);
    return go_on;
}

static void pass_on(struct pipeline *pipeline, struct block *block)
{
    pthread_mutex_lock(&pipeline->lock);
    block->number = pipeline->read++;
    *pipeline->waiting_end = block;
    pipeline->waiting_end = &block->next;
    pthread_cond_signal(&pipeline->input);
    pthread_mutex_unlock(&pipeline->lock);
}

static void end_input(struct pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    pipeline->ended = true;
    pipeline->under_way--;
#ifdef BUG_END_SIGNALS_ONE
    pthread_cond_signal(&pipeline->input); /* the other workers wait for ever */
#else
    pthread_cond_broadcast(&pipeline->input);
#endif
    pthread_cond_broadcast(&pipeline->output);
    pthread_mutex_unlock(&pipeline->lock);
}

static void *read_blocks(void *arg)
{
    struct pipeline *pipeline = arg;
    while (wait_for_room(pipeline)) {
        struct block *block = calloc(1, sizeof *block);
        if (block == NULL) {
            fail(pipeline, ENOMEM);
            break;
        }
        enum step step = pipeline->jobs->read(pipeline->jobs->context, block);
        if (step == STEP_OK) {
            pass_on(pipeline, block);
            continue;
        }
        int error = errno;
        free_block(block);
        if (step == STEP_END)
            end_input(pipeline);
        else
            fail(pipeline, error);
        break;
    }
    return NULL;
}

static struct block *take(struct pipeline *pipeline)
{
    struct block *block = NULL;
    pthread_mutex_lock(&pipeline->lock);
#ifdef BUG_IF_FOR_WHILE
    if (pipeline->waiting == NULL && !pipeline->ended)
#else
    while (pipeline->waiting == NULL && !pipeline->ended)
#endif
        pthread_cond_wait(&pipeline->input, &pipeline->lock);
    if (pipeline->error == 0 && pipeline->waiting != NULL) {
        block = pipeline->waiting;
        pipeline->waiting = block->next;
        if (pipeline->waiting == NULL)
            pipeline->waiting_end = &pipeline->waiting;
    }
    pthread_mutex_unlock(&pipeline->lock);
    return block;
}

static void hand_in(struct pipeline *pipeline, struct block *block)
{
#ifndef BUG_UNLOCKED_LIST
    pthread_mutex_lock(&pipeline->lock);
#endif
    struct block **link = &pipeline->finished;
#ifndef BUG_ORDER_OF_ARRIVAL
    while (*link != NULL && (*link)->number < block->number)
        link = &(*link)->next;
#endif
    block->next = *link;
    *link = block;
#ifdef BUG_UNLOCKED_LIST
    pthread_mutex_lock(&pipeline->lock);
#endif
    pthread_cond_signal(&pipeline->output);
    pthread_mutex_unlock(&pipeline->lock);
}

static void *work_on_blocks(void *arg)
{
    struct pipeline *pipeline = arg;
    struct block *block;
    while ((block = take(pipeline)) != NULL) {
        if (pipeline->jobs->work(pipeline->jobs->context, block) != STEP_OK) {
            int error = errno;
#ifdef BUG_FREED_TWICE
            hand_in(pipeline, block);
#endif
            free_block(block);
            fail(pipeline, error);
            break;
        }
        hand_in(pipeline, block);
    }
    return NULL;
}

/* The next block for the writer; NULL at the end or after an error. */
static struct block *next_finished(struct pipeline *pipeline)
{
    struct block *block = NULL;
    pthread_mutex_lock(&pipeline->lock);
#ifdef BUG_ORDER_OF_ARRIVAL
    while (pipeline->error == 0 && pipeline->finished == NULL
#else
    while (pipeline->error == 0
           && (pipeline->finished == NULL || pipeline->finished->number != pipeline->written)
#endif
           && !(pipeline->ended && pipeline->written == pipeline->read))
        pthread_cond_wait(&pipeline->output, &pipeline->lock);
    if (pipeline->error == 0 && pipeline->finished != NULL) {
        block = pipeline->finished;
        pipeline->finished = block->next;
    }
    pthread_mutex_unlock(&pipeline->lock);
    return block;
}

static void count_written(struct pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    pipeline->written++;
    pipeline->under_way--;
    pthread_cond_signal(&pipeline->room);
    pthread_mutex_unlock(&pipeline->lock);
}

static void write_blocks(struct pipeline *pipeline)
{
    struct block *block;
    while ((block = next_finished(pipeline)) != NULL) {
        enum step step = pipeline->jobs->write(pipeline->jobs->context, block);
        int error = errno;
        free_block(block);
        if (step != STEP_OK) {
#ifdef BUG_WRITE_ERROR_STOPS
            pipeline->error = error; /* the reader still waits for room */
            return;
#else
            fail(pipeline, error);
            return;
#endif
        }
        count_written(pipeline);
    }
}

int pipeline_run(const struct pipeline_jobs *jobs, size_t workers, size_t window)
{
    assert(workers > 0 && window > 0);
    struct pipeline pipeline = { .jobs = jobs, .window = window };
    pthread_t reader, *threads = malloc(workers * sizeof *threads);
    size_t started = 0;
    int error;

    if (threads == NULL)
        return ENOMEM;
    pthread_mutex_init(&pipeline.lock, NULL);
    pthread_cond_init(&pipeline.room, NULL);
    pthread_cond_init(&pipeline.input, NULL);
    pthread_cond_init(&pipeline.output, NULL);
    pipeline.waiting_end = &pipeline.waiting;
    error = pthread_create(&reader, NULL, read_blocks, &pipeline);
    bool reading = error == 0;
    while (error == 0 && started < workers) {
        error = pthread_create(&threads[started], NULL, work_on_blocks, &pipeline);
        if (error == 0)
            started++;
    }
    if (error != 0)
        fail(&pipeline, error);
    else
        write_blocks(&pipeline);
    if (reading)
        pthread_join(reader, NULL);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    assert(pipeline.error != 0 || (pipeline.under_way == 0 && pipeline.waiting == NULL));
    free_list(pipeline.waiting);
#ifndef BUG_LEAK_AFTER_ERROR
    free_list(pipeline.finished);
#endif
    free(threads);
    pthread_cond_destroy(&pipeline.output);
    pthread_cond_destroy(&pipeline.input);
    pthread_cond_destroy(&pipeline.room);
    pthread_mutex_destroy(&pipeline.lock);
    return pipeline.error;
}
