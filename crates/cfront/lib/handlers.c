/* What signals do, where a program says it. Only the program itself sends signals, by `raise` and `abort`: a handler runs at
   once, in the thread that calls it, or when a handler that holds it back has come to its end. */

struct action { void (*handler)(int); unsigned mask[32]; int flags; void (*restorer)(void); };

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_assuming(const char *assumption);
void __mazurka_default_signal(int number);
_Bool __mazurka_any_bool(void);
int *__errno_location(void);
int getpid(void);
unsigned getuid(void);

enum { EINVAL = 22, LAST = 64, ABORT = 6, KILL = 9, STOP = 19, FIRST_OWN = 32, LAST_OWN = 33, WITH_INFO = 4, RESTARTS = 0x10000000 };
enum { NOT_HELD = 0x40000000, INFO = 128 / sizeof(long), CONTEXT = 968 };
/* What a signal comes with, by words: `raise` sends it to the thread that calls it. */
enum { NUMBER = 0, CODE = 2, PROCESS = sizeof(long) == 8 ? 4 : 3, USER = PROCESS + 1, SENT_TO_THREAD = -6 };

typedef void (*plain)(int);
typedef void (*informed)(int, void *, void *);

static plain handlers[LAST + 1];
static unsigned low[LAST + 1], high[LAST + 1];
static int flags[LAST + 1];

/* Signals with handlers, by bits. */
static unsigned long handled;

/* What the thread holds back while handlers run, and what waits for their end. */
static _Thread_local unsigned long held, waiting;

static unsigned long bit(int number) {
    return 1ul << (number - 1);
}

static _Bool is_function(plain handler) {
    return handler != (plain)0 && handler != (plain)1;
}

static _Bool can_be_set(int number) {
    _Bool is_own = number == FIRST_OWN || number == LAST_OWN;
    return number > 0 && number <= LAST && number != KILL && number != STOP && !is_own;
}

static void say(void) {
    __mazurka_assuming("no signal comes from a fault, and none from outside unless the program waits for it: handlers run where it waits, and where it calls `raise` or `abort`");
}

int sigaction(int number, const struct action *now, struct action *old) {
    say();
    if (!can_be_set(number)) {
        *__errno_location() = EINVAL;
        return -1;
    }
    plain handler = now ? now->handler : (plain)0;
    unsigned first = now ? now->mask[0] : 0, second = now ? now->mask[1] : 0;
    int how = now ? now->flags : 0;
    unsigned long cleared = now ? bit(number) : 0, set = now && is_function(handler) ? bit(number) : 0;
    __mazurka_atomic_begin();
    unsigned long all = handled;
    handled = (all & ~cleared) | set;
    plain before = handlers[number];
    unsigned low_before = low[number], high_before = high[number];
    int how_before = flags[number];
    handlers[number] = now ? handler : before;
    low[number] = now ? first : low_before;
    high[number] = now ? second : high_before;
    flags[number] = now ? how : how_before;
    __mazurka_atomic_end();
    if (old) {
        old->handler = before;
        old->mask[0] = low_before;
        old->mask[1] = high_before;
        old->flags = how_before;
    }
    return 0;
}

static plain replace(int number, plain handler, int how) {
    say();
    if (!can_be_set(number) || handler == (plain)-1) {
        *__errno_location() = EINVAL;
        return (plain)-1;
    }
    unsigned long cleared = bit(number), set = is_function(handler) ? cleared : 0;
    __mazurka_atomic_begin();
    unsigned long all = handled;
    handled = (all & ~cleared) | set;
    plain before = handlers[number];
    handlers[number] = handler;
    low[number] = 0;
    high[number] = 0;
    flags[number] = how;
    __mazurka_atomic_end();
    return before;
}

plain signal(int number, plain handler) {
    return replace(number, handler, RESTARTS);
}

plain bsd_signal(int number, plain handler) {
    return replace(number, handler, RESTARTS);
}

static void call(plain handler, int number, int how) {
    if (how & WITH_INFO) {
        char context[CONTEXT];
        long info[INFO] = { 0 };
        int *about = (int *)info;
        about[NUMBER] = number;
        about[CODE] = SENT_TO_THREAD;
        about[PROCESS] = getpid();
        about[USER] = (int)getuid();
        ((informed)handler)(number, info, context);
    } else {
        handler(number);
    }
}

/* Is the signal taken care of? Otherwise it does what it does by default. */
static _Bool run(int number) {
    __mazurka_atomic_begin();
    plain handler = handlers[number];
    unsigned long mask = low[number] | (unsigned long)high[number] << 32;
    int how = flags[number];
    handlers[number] = how < 0 ? (plain)0 : handler;
    __mazurka_atomic_end();
    if (handler == (plain)0) {
        return 0;
    }
    if (handler == (plain)1) {
        return 1;
    }
    unsigned long before = held;
    held = before | mask | (how & NOT_HELD ? 0 : bit(number));
    call(handler, number, how);
    held = before;
    return 1;
}

/* `abort` runs its handler whether the signal is held back or not; then the process ends. */
void __mazurka_handle_abort(void) {
    held = held & ~bit(ABORT);
    run(ABORT);
}

/* What was sent while it was held back, and is not any more, comes now. */
static void deliver(void) {
    for (int next = 1; next <= LAST && (waiting & ~held); next++) {
        if (waiting & ~held & bit(next)) {
            waiting = waiting & ~bit(next);
            if (!run(next)) {
                __mazurka_default_signal(next);
            }
        }
    }
}

int __mazurka_handle_signal(int number) {
    if (held & bit(number)) {
        waiting = waiting | bit(number);
        return 1;
    }
    _Bool is_handled = run(number);
    deliver();
    return is_handled;
}

/* What `sigsetjmp` keeps behind its first word, the place to jump to: does it keep what is held back, and what is that? */
void __mazurka_keep_held(unsigned long *kept, int keeps) {
    kept[1] = keeps != 0;
    kept[2] = held;
}

/* `longjmp` is about to leave the handlers that run. */
void __mazurka_hold_again(const unsigned long *kept) {
    if (kept[1]) {
        held = kept[2];
        deliver();
    }
}

/* The thread waits for a signal, with these held back meanwhile. One that nobody handles ends the process. */
void __mazurka_wait_for_handler(unsigned long mask) {
    __mazurka_atomic_begin();
    unsigned long rest = handled;
    __mazurka_atomic_end();
    rest = rest & ~mask;
    int number = 1;
    while (rest && !((rest & 1) && __mazurka_any_bool())) {
        rest = rest >> 1;
        number++;
    }
    if (rest == 0) {
        __mazurka_default_signal(KILL);
    }
    unsigned long before = held;
    held = mask;
    if (!run(number)) {
        __mazurka_default_signal(number);
    }
    held = before;
}
