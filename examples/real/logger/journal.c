#include "journal.h"

#include <assert.h>

void journal_init(struct journal *journal, FILE *stream)
{
    journal->stream = stream;
    journal->sequence = 0;
    for (int source = 0; source < SOURCES; source++)
        journal->seen[source] = 0;
}

void journal_write(void *arg, const struct log_record *record)
{
    struct journal *journal = arg;

    assert(record->source < SOURCES);
    assert(record->sequence == journal->sequence + 1);
    journal->sequence = record->sequence;
    journal->seen[record->source]++;
    if (journal->stream != NULL)
        fprintf(journal->stream, "%6lu %-7s [%u] %s\n", record->sequence,
                level_name(record->level), record->source, record->text);
}
