/* Lines of any length, in memory that grows with them. */

char __mazurka_any_char(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
void __mazurka_any_errno(void);
int *__errno_location(void);
void *malloc(unsigned long size);
void free(void *memory);

_Bool __mazurka_any_bool(void);
int __mazurka_typical(const char *assumption);

enum { EINVAL = 22, FIRST = 120, LITTLE = 7 };

static long any_length(void) {
    if (__mazurka_typical("lines that are read have at most 7 characters")) {
        long count = 0;
        while (count < LITTLE && __mazurka_any_bool()) {
            count++;
        }
        return count;
    }
    long length = __mazurka_any_long();
    __mazurka_assume(length >= 0 && length < (1L << 40));
    return length;
}

/* Room for a line; what was there before is of no use, as a line is read from its start. */
static char *grow(char **line, unsigned long *room, unsigned long need) {
    char *old = *line;
    if (old && *room >= need) {
        return old;
    }
    unsigned long size = need < FIRST ? FIRST : need;
    char *now = malloc(size);
    if (!now) {
        return now;
    }
    free(old);
    *line = now;
    *room = size;
    return now;
}

/* A text up to its end mark, or up to the end of what there is. */
long getdelim(char **line, unsigned long *room, int mark, const char *stream) {
    if (!line || !room) {
        *__errno_location() = EINVAL;
        return -1;
    }
    char used = *stream;
    (void)used;
    long length = any_length();
    char *to = grow(line, room, (unsigned long)length + 1);
    if (length == 0 || !to) {
        __mazurka_any_errno();
        return -1;
    }
    for (long at = 0; at < length; at++) {
        char c = __mazurka_any_char();
        __mazurka_assume(c != (char)mark || at == length - 1);
        to[at] = c;
    }
    to[length] = 0;
    return length;
}

long __getdelim(char **line, unsigned long *room, int mark, const char *stream) {
    return getdelim(line, room, mark, stream);
}

long getline(char **line, unsigned long *room, const char *stream) {
    return getdelim(line, room, '\n', stream);
}
