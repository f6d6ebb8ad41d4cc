/* Waiting for a signal from outside, which may come at any time: where a program waits, one comes. What it was told to do
   then happens; otherwise the process ends, as with a signal that nothing can hold back. */

int __mazurka_any_int(void);
long __mazurka_any_long(void);
unsigned __mazurka_any_unsigned(void);
_Bool __mazurka_any_bool(void);
void __mazurka_assume(int condition);
void __mazurka_assuming(const char *assumption);
void __mazurka_await(int condition);
void __mazurka_wait_for_handler(unsigned long held);
int *__errno_location(void);

struct moment { long seconds, nanoseconds; };
struct interval { long words[4]; };

enum { LAST = 64, HALF = 32, EINTR = 4, EAGAIN = 11, EINVAL = 22, SECOND = 1000000000 };
enum { NUMBER = 0, CODE = 2, FIRST_VALUE = 4, LAST_VALUE = 7 };

/* One of a set. */
static int any_signal(const unsigned *set) {
    unsigned first = set[0], second = set[1];
    __mazurka_await((first | second) != 0);
    int found = 0;
    for (int number = 1; number <= LAST; number++) {
        unsigned half = number <= HALF ? first : second;
        if (half >> (number - 1) % HALF & 1) {
            found = number;
            if (__mazurka_any_bool()) {
                return found;
            }
        }
    }
    return found;
}

int sigwait(const unsigned *set, int *number) {
    *number = any_signal(set);
    return 0;
}

int sigwaitinfo(const unsigned *set, int *about) {
    int number = any_signal(set);
    if (about) {
        about[NUMBER] = number;
        about[CODE] = __mazurka_any_int();
        for (int at = FIRST_VALUE; at <= LAST_VALUE; at++) {
            about[at] = __mazurka_any_int();
        }
    }
    return number;
}

int sigtimedwait(const unsigned *set, int *about, const struct moment *most) {
    long nanoseconds = most->nanoseconds;
    _Bool is_moment = nanoseconds >= 0 && nanoseconds < SECOND;
    if (!is_moment || (set[0] | set[1]) == 0 || __mazurka_any_bool()) {
        *__errno_location() = is_moment ? EAGAIN : EINVAL;
        return -1;
    }
    return sigwaitinfo(set, about);
}

static void say(void) {
    __mazurka_assuming("signals from outside come where the program waits for one, and nowhere else");
}

int sigsuspend(const unsigned *held) {
    say();
    __mazurka_wait_for_handler(held[0] | (unsigned long)held[1] << 16 << 16);
    *__errno_location() = EINTR;
    return -1;
}

int pause(void) {
    say();
    __mazurka_wait_for_handler(0);
    *__errno_location() = EINTR;
    return -1;
}

/* Clocks that send signals: these come where the program waits. */
unsigned alarm(unsigned seconds) {
    (void)seconds;
    say();
    return __mazurka_any_unsigned();
}

int setitimer(int which, const struct interval *now, struct interval *old) {
    say();
    if (which < 0 || which > 2) {
        *__errno_location() = EINVAL;
        return -1;
    }
    for (int at = 0; now && at < 4; at++) {
        long word = now->words[at];
        (void)word;
    }
    for (int at = 0; old && at < 4; at++) {
        old->words[at] = __mazurka_any_long();
        __mazurka_assume(old->words[at] >= 0);
    }
    return 0;
}
