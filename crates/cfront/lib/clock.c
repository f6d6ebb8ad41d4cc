/* What time it is. Clocks that tell the time of day may go back; the others do not. In a typical environment all
   clocks go on together, by a little or by a lot with each look at one of them, and by as much as a thread sleeps. */

struct moment { long seconds, fraction; };

int __mazurka_typical(const char *assumption);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
int *__errno_location(void);

_Bool __mazurka_any_bool(void);

enum { EINVAL = 22, SECOND = 1000000000, MICROSECONDS = 1000000, CLOCKS = 12, NO_CLOCK = 10 };
enum { REALTIME = 0, REALTIME_COARSE = 5, REALTIME_ALARM = 8, TAI = 11 };

/* Milliseconds. */
enum { LITTLE = 1, LOT = 10000, THOUSAND = 1000, MILLION = 1000000 };
/* A moment of the year 2023, and how long the machine is up. */
enum { DATE = 1700000000, UP = 5000 };
/* More than ten years, in seconds. */
enum { LONGEST = 400000000 };

static long long elapsed;

static long last_second[CLOCKS], last_nanosecond[CLOCKS];

static _Bool may_go_back(int clock) {
    return clock == REALTIME || clock == REALTIME_COARSE || clock == REALTIME_ALARM || clock == TAI;
}

/* A negative number may be the clock of a process or of a thread. */
static _Bool is_clock(int clock) {
    return clock < 0 ? __mazurka_any_bool() : clock < CLOCKS && clock != NO_CLOCK;
}

static _Bool is_late(void) {
    return __mazurka_any_bool();
}

/* How many milliseconds ago the program started. */
static long long look(void) {
    long step = is_late() ? LOT : LITTLE;
    __mazurka_atomic_begin();
    long long now = elapsed + step;
    elapsed = now;
    __mazurka_atomic_end();
    return now;
}

static int is_typical(void) {
    return __mazurka_typical("clocks go on by a millisecond or ten seconds with each look, and by as much as the program sleeps; it is November 2023");
}

/* A thread sleeps: when it goes on, clocks have gone on by no less. Very long times are not told apart. */
void __mazurka_pass(long seconds, long nanoseconds) {
    if (is_typical()) {
        long most = seconds < LONGEST ? seconds : LONGEST;
        long long milliseconds = (long long)most * THOUSAND + (nanoseconds + MILLION - 1) / MILLION;
        __mazurka_atomic_begin();
        long long before = elapsed;
        elapsed = before + milliseconds;
        __mazurka_atomic_end();
    }
}

/* The same until a clock shows a time. */
void __mazurka_pass_until(int clock, long seconds, long nanoseconds) {
    if (is_typical()) {
        long rest = seconds - (may_go_back(clock) ? DATE : UP);
        long most = rest < LONGEST ? rest : LONGEST;
        long long wanted = (long long)most * THOUSAND + (nanoseconds + MILLION - 1) / MILLION;
        __mazurka_atomic_begin();
        long long before = elapsed;
        elapsed = before < wanted ? wanted : before;
        __mazurka_atomic_end();
    }
}

int clock_gettime(int clock, struct moment *now) {
    if (!is_clock(clock)) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (is_typical()) {
        long long milliseconds = look();
        now->seconds = (may_go_back(clock) ? DATE : UP) + (long)(milliseconds / THOUSAND);
        now->fraction = (long)(milliseconds % THOUSAND) * MILLION;
        return 0;
    }
    long seconds = __mazurka_any_long();
    long nanoseconds = __mazurka_any_long();
    __mazurka_assume(seconds >= 0 && nanoseconds >= 0 && nanoseconds < SECOND);
    if (clock >= 0 && !may_go_back(clock)) {
        __mazurka_atomic_begin();
        long before = last_second[clock];
        long part = last_nanosecond[clock];
        __mazurka_assume(seconds > before || (seconds == before && nanoseconds >= part));
        last_second[clock] = seconds;
        last_nanosecond[clock] = nanoseconds;
        __mazurka_atomic_end();
    }
    now->seconds = seconds;
    now->fraction = nanoseconds;
    return 0;
}

int timespec_get(struct moment *now, int base) {
    if (base != 1) {
        return 0;
    }
    clock_gettime(0, now);
    return base;
}

int gettimeofday(struct moment *now, int *zone) {
    if (zone) {
        zone[0] = 0;
        zone[1] = 0;
    }
    if (now && is_typical()) {
        long long milliseconds = look();
        now->seconds = DATE + (long)(milliseconds / THOUSAND);
        now->fraction = (long)(milliseconds % THOUSAND) * THOUSAND;
    } else if (now) {
        long seconds = __mazurka_any_long();
        long microseconds = __mazurka_any_long();
        __mazurka_assume(seconds >= 0 && microseconds >= 0 && microseconds < MICROSECONDS);
        now->seconds = seconds;
        now->fraction = microseconds;
    }
    return 0;
}

long time(long *copy) {
    long now;
    if (is_typical()) {
        now = DATE + (long)(look() / THOUSAND);
    } else {
        now = __mazurka_any_long();
        __mazurka_assume(now >= 0);
    }
    if (copy) {
        *copy = now;
    }
    return now;
}
