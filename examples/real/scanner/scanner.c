#include "scanner.h"
#include "work.h"

#include <stdlib.h>

struct worker {
    pthread_t thread;
    struct scan *scan;
    struct counts counts; /* written by the thread at its end */
};

struct scan {
    const char *wanted;
    unsigned long limit;
    atomic_ulong files; /* counted so far, by all workers */
    atomic_ulong matches;
    struct work work;
    size_t workers;
    struct worker *worker;
};

/* Adds the entries of a folder to the work. Without memory for that, the scan cannot be complete;
 * a tool that counts has no better answer than to give up. */
static void open_folder(struct scan *scan, const struct node *folder)
{
    for (const struct node *entry = folder->first; entry != NULL; entry = entry->next)
        if (!work_add(&scan->work, entry))
            abort();
}

static struct counts count_file(struct scan *scan, const struct node *file)
{
    struct counts counts = counts_of_text(file->text, scan->wanted);

    scan->files++;
    unsigned long matches = scan->matches += counts.matches;
    if (scan->limit != SCAN_ALL && matches >= scan->limit)
        work_close(&scan->work);
    return counts;
}

/* Takes part in the scan until it is over; returns what this thread has counted. */
static struct counts scan_nodes(struct scan *scan)
{
    struct counts counts = { 0, 0, 0, 0 };
    const struct node *node;

    while ((node = work_take(&scan->work)) != NULL) {
        if (tree_is_folder(node))
            open_folder(scan, node);
        else
            counts = counts_sum(counts, count_file(scan, node));
        work_done(&scan->work);
    }
    return counts;
}

static void *run_worker(void *arg)
{
    struct worker *worker = arg;

    worker->counts = scan_nodes(worker->scan);
    return NULL;
}

static void free_scan(struct scan *scan)
{
    work_destroy(&scan->work);
    free(scan->worker);
    free(scan);
}

/* Returns how many could be started. With fewer than asked for the scan is slower, but it works. */
static size_t start_workers(struct scan *scan, size_t workers)
{
    for (size_t i = 0; i < workers; i++) {
        struct worker *worker = &scan->worker[i];
        worker->scan = scan;
        worker->counts = (struct counts){ 0, 0, 0, 0 };
        if (pthread_create(&worker->thread, NULL, run_worker, worker) != 0)
            return i;
    }
    return workers;
}

struct scan *scan_start(const struct node *root, const char *wanted, size_t workers,
                        unsigned long limit)
{
    struct scan *scan = malloc(sizeof *scan);
    if (scan == NULL)
        return NULL;
    scan->worker = malloc(workers * sizeof *scan->worker);
    if (scan->worker == NULL) {
        free(scan);
        return NULL;
    }
    scan->wanted = wanted;
    scan->limit = limit;
    scan->files = 0;
    scan->matches = 0;
    work_init(&scan->work);
    if (!work_add(&scan->work, root)) {
        free_scan(scan);
        return NULL;
    }
    scan->workers = start_workers(scan, workers);
    return scan;
}

unsigned long scan_progress(struct scan *scan)
{
    return scan->files;
}

void scan_stop(struct scan *scan)
{
    work_close(&scan->work);
}

struct counts scan_finish(struct scan *scan)
{
    struct counts total = scan_nodes(scan);

    for (size_t i = 0; i < scan->workers; i++) {
#ifdef BUG_EARLY_MERGE
        /* The result is taken before the worker has written it. */
        total = counts_sum(total, scan->worker[i].counts);
        pthread_join(scan->worker[i].thread, NULL);
#else
        pthread_join(scan->worker[i].thread, NULL);
        total = counts_sum(total, scan->worker[i].counts);
#endif
    }
    free_scan(scan);
    return total;
}
