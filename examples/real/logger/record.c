#include "record.h"

void record_fill(struct log_record *record, enum log_level level, unsigned source,
                 unsigned long sequence, const char *text)
{
    size_t length = 0;

    record->level = level;
    record->source = source;
    record->sequence = sequence;
    while (length < LOG_TEXT - 1 && text[length] != '\0') {
        record->text[length] = text[length];
        length++;
    }
    record->text[length] = '\0';
}

const char *level_name(enum log_level level)
{
    switch (level) {
    case LOG_DEBUG:
        return "debug";
    case LOG_INFO:
        return "info";
    case LOG_WARNING:
        return "warning";
    case LOG_ERROR:
        return "error";
    }
    return "?";
}
