/* Files that a program watches with epoll, and counters of events: any of those that are watched are ready, at any time. */

union data { void *address; int number; };
struct event { unsigned events; union data data; } __attribute__((packed));

_Bool __mazurka_any_bool(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
int __mazurka_watches_addresses(void);
void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
int __mazurka_next_file(void);
void __mazurka_any_errno(void);
int *__errno_location(void);

enum { EEXIST = 17, EINVAL = 22, ENOENT = 2, ENOSPC = 28, MOST = 8 };
enum { ADD = 1, REMOVE = 2, CHANGE = 3, ALWAYS = 0x18, ONCE = 0x40000000, KINDS = 0x3fff, LAST_KIND = 0x2000 };

/* What is watched, by whom. A place is free if its watcher is 0; otherwise it is one more than the file. */
static struct { int watcher, file; unsigned events; void *data; } watched[MOST];

static _Bool fails(void) {
    return __mazurka_any_bool();
}

static int failed(void) {
    __mazurka_any_errno();
    return -1;
}

int epoll_create1(int flags) {
    (void)flags;
    return fails() ? failed() : __mazurka_next_file();
}

int epoll_create(int size) {
    if (size <= 0) {
        *__errno_location() = EINVAL;
        return -1;
    }
    return epoll_create1(0);
}

/* Where a file is watched; `MOST` if it is not. */
static int place_of(int watcher, int file) {
    int place = MOST;
    for (int at = 0; at < MOST; at++) {
        __mazurka_atomic_begin();
        int by = watched[at].watcher, what = watched[at].file;
        __mazurka_atomic_end();
        place = by == watcher + 1 && what == file ? at : place;
    }
    return place;
}

/* What a program finds behind an event is an address only if it looks for one. */
static void *data_of(const struct event *event) {
    if (__mazurka_watches_addresses()) {
        return event->data.address;
    }
    return (void *)(unsigned long)(unsigned)event->data.number;
}

static _Bool put(int at, int watcher, int file, const struct event *event, _Bool is_new) {
    unsigned events = event->events;
    void *data = data_of(event);
    int wanted = is_new ? 0 : watcher + 1;
    __mazurka_atomic_begin();
    int before = watched[at].watcher, file_before = watched[at].file;
    unsigned events_before = watched[at].events;
    void *data_before = watched[at].data;
    _Bool fits = before == wanted;
    watched[at].watcher = fits ? watcher + 1 : before;
    watched[at].file = fits ? file : file_before;
    watched[at].events = fits ? events : events_before;
    watched[at].data = fits ? data : data_before;
    __mazurka_atomic_end();
    return fits;
}

static int add(int watcher, int file, const struct event *event) {
    if (place_of(watcher, file) < MOST) {
        *__errno_location() = EEXIST;
        return -1;
    }
    for (int at = 0; at < MOST; at++) {
        if (put(at, watcher, file, event, 1)) {
            return 0;
        }
    }
    *__errno_location() = ENOSPC;
    return -1;
}

int epoll_ctl(int watcher, int what, int file, const struct event *event) {
    if (fails()) {
        return failed();
    }
    if (what == ADD) {
        return add(watcher, file, event);
    }
    int place = place_of(watcher, file);
    if (place == MOST || what < ADD || what > CHANGE) {
        *__errno_location() = place == MOST ? ENOENT : EINVAL;
        return -1;
    }
    if (what == CHANGE) {
        put(place, watcher, file, event, 0);
        return 0;
    }
    __mazurka_atomic_begin();
    watched[place].watcher = 0;
    __mazurka_atomic_end();
    return 0;
}

/* Which of the kinds of events that were asked for have happened. */
static unsigned happened(unsigned asked) {
    unsigned found = 0;
    for (unsigned kind = 1; kind <= LAST_KIND; kind = kind << 1) {
        if (kind & asked && __mazurka_any_bool()) {
            found |= kind;
        }
    }
    return found;
}

int epoll_wait(int watcher, struct event *events, int most, int milliseconds) {
    if (most <= 0) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (fails()) {
        return failed();
    }
    int count = 0;
    for (int at = 0; at < MOST && count < most; at++) {
        __mazurka_atomic_begin();
        int by = watched[at].watcher;
        unsigned asked = watched[at].events;
        void *data = watched[at].data;
        __mazurka_atomic_end();
        unsigned found = by == watcher + 1 && (asked & KINDS) ? happened((asked & KINDS) | ALWAYS) : 0;
        if (found) {
            events[count].events = found;
            events[count].data.address = data;
            count++;
            if (asked & ONCE) {
                __mazurka_atomic_begin();
                watched[at].events = 0;
                __mazurka_atomic_end();
            }
        }
    }
    __mazurka_assume(count > 0 || milliseconds >= 0);
    return count;
}

int epoll_pwait(int watcher, struct event *events, int most, int milliseconds, const void *mask) {
    (void)mask;
    return epoll_wait(watcher, events, most, milliseconds);
}

/* What a counter of events holds is not worked out. */
int eventfd_read(int file, unsigned long *count) {
    (void)file;
    if (fails()) {
        return failed();
    }
    long value = __mazurka_any_long();
    __mazurka_assume(value > 0);
    *count = (unsigned long)value;
    return 0;
}

int eventfd_write(int file, unsigned long count) {
    (void)file;
    (void)count;
    return fails() ? failed() : 0;
}
