/* What comes from files and other processes: anything, and as much of it as fits or less. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
int __mazurka_any_int(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
int __mazurka_typical(const char *assumption);
void __mazurka_any_errno(void);
void __mazurka_write_bytes(char *to, unsigned long size);

static _Bool fails(void) {
    return __mazurka_any_bool();
}

/* In a typical environment little comes at once, or as much as fits. */
enum { LITTLE = 7 };

static int is_typical(void) {
    return __mazurka_typical("what is read comes in pieces of at most 7 characters, or fills all the room, and then only its first 7 characters and the last one are any");
}

/* Any bytes, as many as `count` says. */
static void fill(char *to, unsigned long count) {
    unsigned long first = count;
    if (count > LITTLE && is_typical()) {
        first = LITTLE;
        __mazurka_write_bytes(to + first, count - 1 - first);
        to[count - 1] = __mazurka_any_char();
    }
    for (unsigned long at = 0; at < first; at++) {
        to[at] = __mazurka_any_char();
    }
}

/* How many of some bytes come: none or more, and sometimes all of them. */
static unsigned long any_count(unsigned long most) {
    if (is_typical()) {
        unsigned long count = 0;
        while (count < most && count < LITTLE && __mazurka_any_bool()) {
            count++;
        }
        return count == LITTLE && __mazurka_any_bool() ? most : count;
    }
    unsigned long count = (unsigned long)__mazurka_any_long();
    __mazurka_assume(count <= most);
    return count;
}

long read(int file, void *to, unsigned long size) {
    (void)file;
    if (fails()) {
        __mazurka_any_errno();
        return -1;
    }
    unsigned long count = any_count(size);
    __mazurka_assume((long)count >= 0);
    fill(to, count);
    return (long)count;
}

long pread(int file, void *to, unsigned long size, long from) {
    (void)from;
    return read(file, to, size);
}

long pread64(int file, void *to, unsigned long size, long long from) {
    (void)from;
    return read(file, to, size);
}

long recv(int file, void *to, unsigned long size, int flags) {
    (void)flags;
    return read(file, to, size);
}

long readlink(const char *path, char *to, unsigned long size) {
    while (*path) {
        path++;
    }
    return read(0, to, size);
}

/* A stream has to be there. */
static void use(const char *stream) {
    char used = *stream;
    (void)used;
}

/* The last item may have come in part. */
unsigned long fread(void *to, unsigned long size, unsigned long count, void *stream) {
    use(stream);
    unsigned long items = size > 0 ? any_count(count) : 0;
    unsigned long part = 0;
    if (items < count) {
        part = size > 1 ? any_count(size - 1) : 0;
        __mazurka_any_errno();
    }
    fill(to, items * size + part);
    return items;
}

unsigned long fread_unlocked(void *to, unsigned long size, unsigned long count, void *stream) {
    return fread(to, size, count, stream);
}

/* A line, with its end if there is room, and a NUL behind it; after an error, anything. */
char *fgets(char *to, int size, void *stream) {
    use(stream);
    if (size <= 0 || __mazurka_any_bool()) {
        if (size > 0 && __mazurka_any_bool()) {
            fill(to, (unsigned long)size);
        }
        __mazurka_any_errno();
        return (char *)0;
    }
    int length = (int)any_count((unsigned long)size - 1);
    __mazurka_assume(length > 0 || size == 1);
    int known = length > LITTLE && is_typical() ? LITTLE : length;
    for (int at = 0; at < known; at++) {
        char c = __mazurka_any_char();
        __mazurka_assume(c != '\n' || at == length - 1);
        to[at] = c;
    }
    if (known < length) {
        __mazurka_write_bytes(to + known, (unsigned long)(length - known));
    }
    to[length] = 0;
    return to;
}

char *fgets_unlocked(char *to, int size, void *stream) {
    return fgets(to, size, stream);
}

static int character(void) {
    int c = __mazurka_any_int();
    __mazurka_assume(c >= -1 && c < 256);
    if (c < 0) {
        __mazurka_any_errno();
    }
    return c;
}

int fgetc(void *stream) {
    use(stream);
    return character();
}

int getc(void *stream) {
    return fgetc(stream);
}

int getchar(void) {
    return character();
}

int getc_unlocked(void *stream) {
    return fgetc(stream);
}

int getchar_unlocked(void) {
    return character();
}

int fgetc_unlocked(void *stream) {
    return fgetc(stream);
}

enum { NO_LIMIT = 0x7fffffff };

static unsigned long length_of(const char *text) {
    unsigned long length = 0;
    while (text[length]) {
        length++;
    }
    return length;
}

/* A word or some characters of a set, with a NUL behind them: at most as many as the format says, and as there are in the
   text that is read, if it is not outside. */
void __mazurka_scan_text(char *to, unsigned long most, const char *from, int is_word) {
    if (from) {
        unsigned long length = length_of(from);
        most = length < most ? length : most;
    } else if (most == NO_LIMIT && is_typical()) {
        most = LITTLE;
    }
    __mazurka_assume(most > 0);
    unsigned long count = 1;
    while (count < most && (count < LITTLE || !is_typical()) && __mazurka_any_bool()) {
        count++;
    }
    unsigned long known = count;
    if (count == LITTLE && count < most && __mazurka_any_bool()) {
        count = most;
    }
    for (unsigned long at = 0; at < known; at++) {
        char c = __mazurka_any_char();
        __mazurka_assume(c != 0 && !(is_word && (c == ' ' || (c >= '\t' && c <= '\r'))));
        to[at] = c;
    }
    if (known < count) {
        __mazurka_write_bytes(to + known, count - known);
    }
    to[count] = 0;
}

/* Characters without a NUL; all of them are there unless the text ends. */
void __mazurka_scan_characters(char *to, unsigned long count) {
    for (unsigned long at = 0; at < count; at++) {
        to[at] = __mazurka_any_char();
    }
}
