/* Streams: a place in memory each, which is there while the stream is open. Those that a program starts with
   have a place of their own, which is never freed. */

_Bool __mazurka_any_bool(void);
int __mazurka_any_int(void);
void __mazurka_any_errno(void);
int __mazurka_reads(void);
void *malloc(unsigned long size);
void free(void *memory);

enum { OPENED = 1 };

static void read_text(const char *text) {
    if (__mazurka_reads()) {
        while (*text) {
            text++;
        }
    }
}

static void *open_stream(void) {
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return (void *)0;
    }
    char *stream = malloc(1);
    if (stream) {
        *stream = OPENED;
    }
    return stream;
}

static void close_stream(char *stream) {
    if (*stream == OPENED) {
        free(stream);
    }
}

void *fopen(const char *path, const char *mode) {
    read_text(path);
    read_text(mode);
    return open_stream();
}

void *fopen64(const char *path, const char *mode) {
    return fopen(path, mode);
}

void *popen(const char *command, const char *mode) {
    return fopen(command, mode);
}

void *fdopen(int file, const char *mode) {
    (void)file;
    read_text(mode);
    return open_stream();
}

void *tmpfile(void) {
    return open_stream();
}

void *tmpfile64(void) {
    return open_stream();
}

int fclose(void *stream) {
    close_stream(stream);
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return -1;
    }
    return 0;
}

int pclose(void *stream) {
    close_stream(stream);
    __mazurka_any_errno();
    return __mazurka_any_int();
}
