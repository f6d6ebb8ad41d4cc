/* Semaphores with names. When the program starts there are none, and no other process uses them. */

void __mazurka_lock(void *lock);
void __mazurka_unlock(void *lock);
void __mazurka_assuming(const char *assumption);
int *__errno_location(void);
int sem_init(void *semaphore, int shared, unsigned value);

enum { MOST = 16, WORDS = 8, CREATES = 0100, ALONE = 0200, MOST_VALUE = 0x7fffffff };
enum { ENOENT = 2, EEXIST = 17, EINVAL = 22, EMFILE = 24 };

static int lock;
static unsigned semaphores[MOST][WORDS];
static const char *names[MOST];
static int used;

static _Bool is_same(const char *left, const char *right) {
    unsigned long at = 0;
    while (left[at] && left[at] == right[at]) {
        at++;
    }
    return left[at] == right[at];
}

static unsigned *failed(int code) {
    *__errno_location() = code;
    return (unsigned *)0;
}

static int find(const char *name) {
    for (int at = 0; at < used; at++) {
        if (names[at] && is_same(names[at], name)) {
            return at;
        }
    }
    return -1;
}

static unsigned *open_one(const char *name, int flags, unsigned value) {
    int at = find(name);
    if (at >= 0) {
        return flags & CREATES && flags & ALONE ? failed(EEXIST) : semaphores[at];
    }
    if (!(flags & CREATES)) {
        return failed(ENOENT);
    }
    if (value > MOST_VALUE) {
        return failed(EINVAL);
    }
    if (used == MOST) {
        return failed(EMFILE);
    }
    at = used;
    used = at + 1;
    names[at] = name;
    sem_init(semaphores[at], 0, value);
    return semaphores[at];
}

unsigned *sem_open(const char *name, int flags, ...) {
    __mazurka_assuming("no semaphore with a name is there before the program makes it, and its name stays as it is");
    unsigned value = 0;
    if (flags & CREATES) {
        __builtin_va_list list;
        __builtin_va_start(list, flags);
        unsigned mode = __builtin_va_arg(list, unsigned);
        (void)mode;
        value = __builtin_va_arg(list, unsigned);
        __builtin_va_end(list);
    }
    __mazurka_lock(&lock);
    unsigned *semaphore = open_one(name, flags, value);
    __mazurka_unlock(&lock);
    return semaphore;
}

/* Its place is not used again. */
int sem_close(unsigned *semaphore) {
    unsigned value = __atomic_load_n(semaphore, 5);
    (void)value;
    return 0;
}

int sem_unlink(const char *name) {
    __mazurka_lock(&lock);
    int at = find(name);
    if (at >= 0) {
        names[at] = (const char *)0;
    }
    __mazurka_unlock(&lock);
    if (at < 0) {
        *__errno_location() = ENOENT;
        return -1;
    }
    return 0;
}
