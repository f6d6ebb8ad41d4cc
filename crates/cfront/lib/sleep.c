/* Sleeping: time passes, and no thread is woken early. */

struct moment { long seconds, nanoseconds; };

_Bool __mazurka_any_bool(void);
void __mazurka_pass(long seconds, long nanoseconds);
void __mazurka_pass_until(int clock, long seconds, long nanoseconds);
int *__errno_location(void);

enum { CLOCKS = 12, THREAD_TIME = 3, FIRST_WITHOUT_TIMER = 4, LAST_WITHOUT_TIMER = 6, NO_CLOCK = 10, ENOTSUP = 95 };
enum { EINVAL = 22, ABSOLUTE = 1, SECOND = 1000000000, MICROSECONDS = 1000000, THOUSAND = 1000, LONGEST = 400000000 };

static _Bool is_moment(const struct moment *time) {
    long seconds = time->seconds;
    long nanoseconds = time->nanoseconds;
    return seconds >= 0 && nanoseconds >= 0 && nanoseconds < SECOND;
}

int nanosleep(const struct moment *time, struct moment *rest) {
    (void)rest;
    if (is_moment(time)) {
        __mazurka_pass(time->seconds, time->nanoseconds);
        return 0;
    }
    *__errno_location() = EINVAL;
    return -1;
}

int clock_nanosleep(int clock, int flags, const struct moment *time, struct moment *rest) {
    (void)rest;
    if (clock < 0 || clock >= CLOCKS || clock == THREAD_TIME || clock == NO_CLOCK) {
        return EINVAL;
    }
    if (clock >= FIRST_WITHOUT_TIMER && clock <= LAST_WITHOUT_TIMER) {
        return ENOTSUP;
    }
    if (!is_moment(time)) {
        return EINVAL;
    }
    if (flags & ABSOLUTE) {
        __mazurka_pass_until(clock, time->seconds, time->nanoseconds);
    } else {
        __mazurka_pass(time->seconds, time->nanoseconds);
    }
    return 0;
}

int thrd_sleep(const struct moment *time, struct moment *rest) {
    (void)rest;
    if (!is_moment(time)) {
        return -2;
    }
    __mazurka_pass(time->seconds, time->nanoseconds);
    return 0;
}

unsigned sleep(unsigned seconds) {
    __mazurka_pass(seconds < LONGEST ? (long)seconds : LONGEST, 0);
    return 0;
}

/* A second or more may be refused. */
int usleep(unsigned microseconds) {
    if (microseconds >= MICROSECONDS && __mazurka_any_bool()) {
        *__errno_location() = EINVAL;
        return -1;
    }
    __mazurka_pass(microseconds / MICROSECONDS, microseconds % MICROSECONDS * THOUSAND);
    return 0;
}
