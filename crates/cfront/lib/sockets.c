/* Connections with other processes: who is there, and what comes, is anything. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
int __mazurka_any_int(void);
unsigned __mazurka_any_unsigned(void);
void __mazurka_assume(int condition);
void __mazurka_assuming(const char *assumption);
void __mazurka_any_errno(void);
long read(int file, void *to, unsigned long size);

struct part { void *start; unsigned long size; };

static int failed(void) {
    __mazurka_any_errno();
    return -1;
}

static _Bool fails(void) {
    return __mazurka_any_bool();
}

static char received(void) {
    return __mazurka_any_char();
}

static unsigned any_size(unsigned most) {
    unsigned size = __mazurka_any_unsigned();
    __mazurka_assume(size <= most);
    return size;
}

static int any_file(void) {
    int file = __mazurka_any_int();
    __mazurka_assume(file >= 0);
    return file;
}

int getsockopt(int file, int level, int name, char *to, unsigned *size) {
    (void)file;
    (void)level;
    (void)name;
    if (fails()) {
        return failed();
    }
    unsigned length = any_size(*size);
    for (unsigned at = 0; at < length; at++) {
        to[at] = received();
    }
    *size = length;
    return 0;
}

/* Parts are filled in their order. */
long readv(int file, const struct part *parts, int count) {
    long sum = 0;
    for (int at = 0; at < count; at++) {
        long got = read(file, parts[at].start, parts[at].size);
        if (got < 0) {
            return sum > 0 ? sum : -1;
        }
        sum += got;
        if ((unsigned long)got < parts[at].size) {
            break;
        }
    }
    return sum;
}

static int connect_two(int *files) {
    __mazurka_assuming("what is read from a pipe or from a pair of sockets is any text; no thread is kept waiting for it");
    if (fails()) {
        return failed();
    }
    int first = any_file(), second = any_file();
    __mazurka_assume(first != second);
    files[0] = first;
    files[1] = second;
    return 0;
}

int pipe(int *files) {
    return connect_two(files);
}

int pipe2(int *files, int flags) {
    (void)flags;
    return connect_two(files);
}

int socketpair(int domain, int type, int protocol, int *files) {
    (void)domain;
    (void)type;
    (void)protocol;
    return connect_two(files);
}
