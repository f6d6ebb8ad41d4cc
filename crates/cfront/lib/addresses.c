/* Names of machines and their addresses. */

struct four { unsigned bytes; };
struct address { int flags, family, type, protocol; unsigned size; char *bytes; char *name; struct address *next; };

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
int __mazurka_any_int(void);
unsigned __mazurka_any_unsigned(void);
void __mazurka_assume(int condition);
void __mazurka_assuming(const char *assumption);
void __mazurka_any_errno(void);
int __mazurka_reads(void);
int *__errno_location(void);
void *malloc(unsigned long size);
void free(void *memory);

enum { INET = 2, INET6 = 10, SIZE = 16, SIZE6 = 28, EAFNOSUPPORT = 97, ENOSPC = 28, SHORTEST = 7, LONGEST = 15, LONGEST6 = 45 };

static void read_text(const char *text) {
    if (__mazurka_reads()) {
        while (text && *text) {
            text++;
        }
    }
}

static char any_byte(void) {
    return __mazurka_any_char();
}

static _Bool is_other(void) {
    return __mazurka_any_bool();
}

/* One address that was found. */
static struct address *found(const struct address *wanted, struct address *next) {
    struct address *it = malloc(sizeof *it);
    if (!it) {
        return it;
    }
    int family = wanted && wanted->family != 0 ? wanted->family : is_other() ? INET6 : INET;
    unsigned size = family == INET6 ? SIZE6 : SIZE;
    char *bytes = malloc(size);
    for (unsigned at = 2; bytes && at < size; at++) {
        bytes[at] = any_byte();
    }
    if (bytes) {
        bytes[0] = (char)family;
        bytes[1] = 0;
    }
    it->flags = wanted ? wanted->flags : 0;
    it->family = family;
    it->type = wanted && wanted->type != 0 ? wanted->type : 1;
    it->protocol = wanted ? wanted->protocol : 0;
    it->size = size;
    it->bytes = bytes;
    it->name = (char *)0;
    it->next = next;
    return it;
}

int getaddrinfo(const char *name, const char *service, const struct address *wanted, struct address **list) {
    __mazurka_assuming("`getaddrinfo` finds at most two addresses, and no other names for them");
    read_text(name);
    read_text(service);
    int error = __mazurka_any_int();
    if (error != 0) {
        __mazurka_any_errno();
        return error;
    }
    struct address *last = is_other() ? found(wanted, (struct address *)0) : (struct address *)0;
    *list = found(wanted, last);
    return 0;
}

struct host { char *name; char **others; int family; int length; char **list; };

/* What was found last: nothing protects it. */
static struct host host;
static char host_name[2];
static char host_bytes[2][4];
static char *host_list[3], *no_names[1];

struct host *gethostbyname(const char *name) {
    __mazurka_assuming("`gethostbyname` finds at most two addresses, and a name of one letter");
    read_text(name);
    host.length = sizeof host_bytes[0];
    if (is_other()) {
        __mazurka_any_errno();
        return (struct host *)0;
    }
    for (unsigned at = 0; at < sizeof host_bytes; at++) {
        ((char *)host_bytes)[at] = any_byte();
    }
    host_name[0] = any_byte();
    __mazurka_assume(host_name[0] != 0);
    host_name[1] = 0;
    no_names[0] = (char *)0;
    host_list[0] = host_bytes[0];
    host_list[1] = is_other() ? host_bytes[1] : (char *)0;
    host_list[2] = (char *)0;
    host.name = host_name;
    host.others = no_names;
    host.family = INET;
    host.list = host_list;
    return &host;
}

void freeaddrinfo(struct address *list) {
    while (list) {
        struct address *next = list->next;
        free(list->bytes);
        free(list);
        list = next;
    }
}

static int is_written(void) {
    return __mazurka_any_bool();
}

static char written(void) {
    return __mazurka_any_char();
}

/* Which address a text says is not worked out. */
int inet_pton(int family, const char *text, char *to) {
    if (family != INET && family != INET6) {
        *__errno_location() = EAFNOSUPPORT;
        return -1;
    }
    read_text(text);
    if (!is_written()) {
        return 0;
    }
    for (int at = 0; at < (family == INET ? 4 : 16); at++) {
        to[at] = written();
    }
    return 1;
}

int inet_aton(const char *text, char *to) {
    return inet_pton(INET, text, to);
}

unsigned inet_addr(const char *text) {
    read_text(text);
    return __mazurka_any_unsigned();
}

static unsigned written_length(unsigned longest) {
    unsigned length = __mazurka_any_unsigned();
    __mazurka_assume(length <= longest);
    return length;
}

static void write_text(char *to, unsigned length) {
    for (unsigned at = 0; at < length; at++) {
        char c = written();
        __mazurka_assume(c != 0);
        to[at] = c;
    }
    to[length] = 0;
}

/* Nor is the text of an address. */
const char *inet_ntop(int family, const char *address, char *to, unsigned size) {
    if (family != INET && family != INET6) {
        *__errno_location() = EAFNOSUPPORT;
        return (const char *)0;
    }
    for (int at = 0; at < (family == INET ? 4 : 16); at++) {
        char byte = address[at];
        (void)byte;
    }
    unsigned length = written_length(family == INET ? LONGEST : LONGEST6);
    __mazurka_assume(length >= (family == INET ? SHORTEST : 2));
    if (length >= size) {
        *__errno_location() = ENOSPC;
        return (const char *)0;
    }
    write_text(to, length);
    return to;
}

/* Nothing protects it. */
static char shared_text[LONGEST + 1];

char *inet_ntoa(struct four address) {
    (void)address;
    unsigned length = written_length(LONGEST);
    __mazurka_assume(length >= SHORTEST);
    write_text(shared_text, length);
    return shared_text;
}
