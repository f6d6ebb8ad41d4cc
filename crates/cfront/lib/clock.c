/* What time it is. The monotonic clock does not go back; the others may. */

struct moment { long seconds, fraction; };
struct date { int second, minute, hour, day, month, year, weekday, yearday, summer; };

int __mazurka_any_int(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
int *__errno_location(void);

enum { EINVAL = 22, SECOND = 1000000000, MICROSECONDS = 1000000, MONOTONIC = 1, LAST_CLOCK = 11 };

static long last_second, last_nanosecond;

int clock_gettime(int clock, struct moment *now) {
    if (clock > LAST_CLOCK) {
        *__errno_location() = EINVAL;
        return -1;
    }
    long seconds = __mazurka_any_long();
    long nanoseconds = __mazurka_any_long();
    __mazurka_assume(seconds >= 0 && nanoseconds >= 0 && nanoseconds < SECOND);
    if (clock == MONOTONIC) {
        __mazurka_atomic_begin();
        long before = last_second;
        long part = last_nanosecond;
        __mazurka_assume(seconds > before || (seconds == before && nanoseconds >= part));
        last_second = seconds;
        last_nanosecond = nanoseconds;
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

int gettimeofday(struct moment *now, void *zone) {
    (void)zone;
    if (now) {
        long seconds = __mazurka_any_long();
        long microseconds = __mazurka_any_long();
        __mazurka_assume(seconds >= 0 && microseconds >= 0 && microseconds < MICROSECONDS);
        now->seconds = seconds;
        now->fraction = microseconds;
    }
    return 0;
}

long time(long *copy) {
    long now = __mazurka_any_long();
    __mazurka_assume(now >= 0);
    if (copy) {
        *copy = now;
    }
    return now;
}

static int between(int least, int most, int any) {
    __mazurka_assume(any >= least && any <= most);
    return any;
}

/* Some date: which one belongs to a time is not worked out. */
struct date *localtime_r(const long *time, struct date *date) {
    long now = *time;
    (void)now;
    date->second = between(0, 60, __mazurka_any_int());
    date->minute = between(0, 59, __mazurka_any_int());
    date->hour = between(0, 23, __mazurka_any_int());
    date->day = between(1, 31, __mazurka_any_int());
    date->month = between(0, 11, __mazurka_any_int());
    date->year = __mazurka_any_int();
    date->weekday = between(0, 6, __mazurka_any_int());
    date->yearday = between(0, 365, __mazurka_any_int());
    date->summer = __mazurka_any_int();
    return date;
}

struct date *gmtime_r(const long *time, struct date *date) {
    localtime_r(time, date);
    date->summer = 0;
    return date;
}
