/* Connections with other processes: who is there, and what comes, is anything. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
unsigned __mazurka_any_unsigned(void);
long __mazurka_any_long(void);
int __mazurka_reads(void);
void __mazurka_assume(int condition);
void __mazurka_assuming(const char *assumption);
int __mazurka_next_file(void);
void __mazurka_any_errno(void);
long read(int file, void *to, unsigned long size);

/* As long as the longest address. */
enum { ADDRESS = 128 };

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

/* The address of whoever is at the other end: as much of it as there is room for; how long it is. */
static void put_address(char *to, unsigned *size) {
    if (!to || !size) {
        return;
    }
    unsigned room = *size, length = any_size(ADDRESS);
    for (unsigned at = 0; at < length && at < room; at++) {
        to[at] = received();
    }
    *size = length;
}

int accept(int file, char *address, unsigned *size) {
    (void)file;
    if (fails()) {
        return failed();
    }
    put_address(address, size);
    return __mazurka_next_file();
}

int accept4(int file, char *address, unsigned *size, int flags) {
    (void)flags;
    return accept(file, address, size);
}

int getsockname(int file, char *address, unsigned *size) {
    (void)file;
    if (fails()) {
        return failed();
    }
    put_address(address, size);
    return 0;
}

int getpeername(int file, char *address, unsigned *size) {
    return getsockname(file, address, size);
}

long recvfrom(int file, void *to, unsigned long length, int flags, char *address, unsigned *size) {
    (void)flags;
    long got = read(file, to, length);
    if (got >= 0) {
        put_address(address, size);
    }
    return got;
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

/* As much as is sent, of what is there. */
static unsigned long sent(unsigned long most) {
    unsigned long count = (unsigned long)__mazurka_any_long();
    __mazurka_assume(count <= most);
    return count;
}

long writev(int file, const struct part *parts, int count) {
    (void)file;
    unsigned long sum = 0;
    for (int at = 0; at < count; at++) {
        const char *from = parts[at].start;
        unsigned long size = parts[at].size;
        for (unsigned long byte = 0; __mazurka_reads() && byte < size; byte++) {
            char read = from[byte];
            (void)read;
        }
        sum += size;
    }
    if (fails()) {
        return failed();
    }
    return (long)sent(sum);
}

static int connect_two(int *files) {
    __mazurka_assuming("what is read from a pipe or from a pair of sockets is any text; no thread is kept waiting for it");
    if (fails()) {
        return failed();
    }
    int first = __mazurka_next_file(), second = __mazurka_next_file();
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
