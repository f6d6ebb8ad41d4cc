/* What comes from files and other processes: anything, and as much of it as fits or less. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
int __mazurka_any_int(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
void __mazurka_any_errno(void);

/* Any bytes, as many as `count` says. */
static void fill(char *to, unsigned long count) {
    for (unsigned long at = 0; at < count; at++) {
        to[at] = __mazurka_any_char();
    }
}

long read(int file, void *to, unsigned long size) {
    (void)file;
    long count = __mazurka_any_long();
    __mazurka_assume(count >= -1 && (count < 0 || (unsigned long)count <= size));
    if (count < 0) {
        __mazurka_any_errno();
        return -1;
    }
    fill(to, (unsigned long)count);
    return count;
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
    unsigned long items = (unsigned long)__mazurka_any_long();
    __mazurka_assume(items <= count && (items == 0 || size > 0));
    unsigned long part = 0;
    if (items < count) {
        part = (unsigned long)__mazurka_any_long();
        __mazurka_assume(part == 0 || part < size);
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
    int length = __mazurka_any_int();
    __mazurka_assume(length >= 0 && length < size && (length > 0 || size == 1));
    for (int at = 0; at < length; at++) {
        char c = __mazurka_any_char();
        __mazurka_assume(c != '\n' || at == length - 1);
        to[at] = c;
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
