/* Several threads log through one logger; checked is that nothing is lost, doubled or reordered.
 *
 * The macros give the size: large for a run, small for a proof.
 *     SOURCES   threads that log, the first of them main
 *     MESSAGES  records that each of them logs
 *     CAPACITY  slots of the ring
 *     POLICY    LOG_BLOCK or LOG_DROP: what happens when the ring is full
 *     STREAM    where the records go, for instance stdout; NULL: nowhere
 */
#include "journal.h"
#include "logger.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef MESSAGES
#define MESSAGES 20000
#endif
#ifndef CAPACITY
#define CAPACITY 16
#endif
#ifndef POLICY
#define POLICY LOG_BLOCK
#endif
#ifndef STREAM
#define STREAM NULL
#endif

struct source {
    unsigned number;
    struct logger *logger;
    const struct journal *journal;
    unsigned long accepted; /* written by the thread, read when it has ended */
    unsigned long dropped;
};

static void *log_messages(void *arg)
{
    struct source *source = arg;

    for (int i = 0; i < MESSAGES; i++) {
        enum log_outcome outcome = logger_log(source->logger, LOG_WARNING, source->number, "ok");
        assert(outcome == LOG_ACCEPTED || outcome == LOG_DROPPED);
        if (outcome == LOG_ACCEPTED)
            source->accepted++;
        else
            source->dropped++;
    }
    logger_flush(source->logger);
    /* The journal has no lock. After a flush the writer has written all records of this thread,
     * and nobody else changes the number of them. */
    assert(source->journal->seen[source->number] == source->accepted);
    return NULL;
}

static void check_stats(struct log_stats stats, const struct source sources[])
{
    unsigned long accepted = 0, dropped = 0;

    for (int i = 0; i < SOURCES; i++) {
        accepted += sources[i].accepted;
        dropped += sources[i].dropped;
    }
    assert(accepted + dropped == (unsigned long)SOURCES * MESSAGES);
    assert(POLICY == LOG_DROP || dropped == 0);
    assert(stats.accepted == accepted);
    assert(stats.dropped == dropped);
}

int main(void)
{
    static struct source sources[SOURCES];
    pthread_t threads[SOURCES];
    struct journal journal;

    journal_init(&journal, STREAM);
    struct logger *logger = logger_create(CAPACITY, POLICY, journal_write, &journal);
    if (logger == NULL)
        return EXIT_FAILURE;
    for (unsigned i = 0; i < SOURCES; i++)
        sources[i] = (struct source){ i, logger, &journal, 0, 0 };
    /* Source 0 is this thread. */
    for (int i = 1; i < SOURCES; i++)
        if (pthread_create(&threads[i], NULL, log_messages, &sources[i]) != 0)
            return EXIT_FAILURE;
    /* While they work the level is raised, but not so far that it concerns them. */
    logger_set_level(logger, LOG_INFO);
    log_messages(&sources[0]);
    for (int i = 1; i < SOURCES; i++)
        pthread_join(threads[i], NULL);
    check_stats(logger_stats(logger), sources);
    enum log_outcome outcome = logger_log(logger, LOG_DEBUG, 0, "nobody reads this");
    assert(outcome == LOG_FILTERED);

    /* What is logged last is written too, although nobody flushes. */
    outcome = logger_log(logger, LOG_ERROR, 0, "the end");
    logger_close(logger);
    struct log_stats stats = logger_stats(logger);
    assert(outcome == LOG_ACCEPTED);
    assert(stats.written == stats.accepted);
    assert(journal.sequence == stats.accepted);
    outcome = logger_log(logger, LOG_ERROR, 0, "too late");
    assert(outcome == LOG_CLOSED);
    logger_destroy(logger);
    printf("%lu records were written, %lu dropped\n", stats.written, stats.dropped);
    return EXIT_SUCCESS;
}
