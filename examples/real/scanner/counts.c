#include "counts.h"

#include <ctype.h>
#include <stddef.h>

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The number of letters before the next white space or the end of the text. */
static size_t word_length(const char *word)
{
    size_t length = 0;

    while (word[length] != '\0' && !is_space(word[length]))
        length++;
    return length;
}

static bool word_matches(const char *word, size_t length, const char *wanted)
{
    for (size_t i = 0; i < length; i++)
        if (wanted[i] == '\0' || !same_letter(word[i], wanted[i]))
            return false;
    return wanted[length] == '\0';
}

struct counts counts_of_text(const char *text, const char *wanted)
{
    struct counts counts = { 1, 0, 0, 0 };
#ifdef BUG_STATIC_CURSOR
    /* As in strtok, the place in the text survives the call, and all threads share it. */
    static const char *cursor;
#else
    const char *cursor;
#endif

    cursor = text;
    while (*cursor != '\0') {
        if (is_space(*cursor)) {
            if (*cursor == '\n')
                counts.lines++;
            cursor++;
            continue;
        }
        size_t length = word_length(cursor);
        counts.words++;
        if (word_matches(cursor, length, wanted))
            counts.matches++;
        cursor += length;
    }
    return counts;
}

struct counts counts_sum(struct counts a, struct counts b)
{
    return (struct counts){ a.files + b.files, a.lines + b.lines, a.words + b.words,
                            a.matches + b.matches };
}

bool counts_equal(struct counts a, struct counts b)
{
    return a.files == b.files && a.lines == b.lines && a.words == b.words &&
           a.matches == b.matches;
}
