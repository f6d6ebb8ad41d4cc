/* The numbers of files that a program opens. In a typical environment they are counted up; no number is used again. */

_Bool __mazurka_any_bool(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);
int __mazurka_typical(const char *assumption);
int __mazurka_reads(void);
void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_any_errno(void);

/* Streams for input, output and errors come first. */
enum { FIRST = 3 };

static int opened;

static _Bool fails(void) {
    return __mazurka_any_bool();
}

static int any_file(void) {
    int file = __mazurka_any_int();
    __mazurka_assume(file >= 0);
    return file;
}

/* The number of one more file. */
int __mazurka_next_file(void) {
    if (!__mazurka_typical("files get the numbers 3, 4 and so on, and none of them twice")) {
        return any_file();
    }
    __mazurka_atomic_begin();
    int now = opened;
    opened = now + 1;
    __mazurka_atomic_end();
    return now + FIRST;
}

static int new_file(void) {
    if (fails()) {
        __mazurka_any_errno();
        return -1;
    }
    return __mazurka_next_file();
}

static void look_at(const char *path) {
    while (__mazurka_reads() && *path) {
        path++;
    }
}

int open(const char *path, int flags, ...) {
    (void)flags;
    look_at(path);
    return new_file();
}

int open64(const char *path, int flags, ...) {
    return open(path, flags);
}

int openat(int folder, const char *path, int flags, ...) {
    (void)folder;
    return open(path, flags);
}

int openat64(int folder, const char *path, int flags, ...) {
    (void)folder;
    return open(path, flags);
}

int creat(const char *path, unsigned mode) {
    (void)mode;
    return open(path, 0);
}

int creat64(const char *path, unsigned mode) {
    return creat(path, mode);
}

int socket(int domain, int type, int protocol) {
    (void)domain;
    (void)type;
    (void)protocol;
    return new_file();
}

int eventfd(unsigned value, int flags) {
    (void)value;
    (void)flags;
    return new_file();
}

int timerfd_create(int clock, int flags) {
    (void)clock;
    (void)flags;
    return new_file();
}

/* A file for signals, or the same one with other signals. */
int signalfd(int file, const unsigned *set, int flags) {
    unsigned used = set[0] | set[1];
    (void)used;
    (void)flags;
    return file >= 0 && !fails() ? file : new_file();
}
