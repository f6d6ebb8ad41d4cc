/* What time it is. Clocks that tell the time of day may go back; the others do not. */

struct moment { long seconds, fraction; };
struct date { int second, minute, hour, day, month, year, weekday, yearday, summer; long offset; const char *zone; };

int __mazurka_any_int(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
int *__errno_location(void);

_Bool __mazurka_any_bool(void);

enum { EINVAL = 22, EOVERFLOW = 75, SECOND = 1000000000, MICROSECONDS = 1000000, CLOCKS = 12, NO_CLOCK = 10 };
enum { REALTIME = 0, REALTIME_COARSE = 5, REALTIME_ALARM = 8, TAI = 11 };

static long last_second[CLOCKS], last_nanosecond[CLOCKS];

static _Bool may_go_back(int clock) {
    return clock == REALTIME || clock == REALTIME_COARSE || clock == REALTIME_ALARM || clock == TAI;
}

/* A negative number may be the clock of a process or of a thread. */
static _Bool is_clock(int clock) {
    return clock < 0 ? __mazurka_any_bool() : clock < CLOCKS && clock != NO_CLOCK;
}

int clock_gettime(int clock, struct moment *now) {
    if (!is_clock(clock)) {
        *__errno_location() = EINVAL;
        return -1;
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

static const char zone_name[] = "UTC";

/* Does the year of a time fit an int? Time zones move the limits. */
static _Bool has_date(long long now) {
    const long long day = 86400, last = 67768036191676799, first = -67768040609740800;
    return now < last - day && now > first + day;
}

/* Some date: which one belongs to a time is not worked out. */
struct date *localtime_r(const long *time, struct date *date) {
    if (!has_date(*time) && __mazurka_any_bool()) {
        *__errno_location() = EOVERFLOW;
        return (struct date *)0;
    }
    date->second = between(0, 60, __mazurka_any_int());
    date->minute = between(0, 59, __mazurka_any_int());
    date->hour = between(0, 23, __mazurka_any_int());
    date->day = between(1, 31, __mazurka_any_int());
    date->month = between(0, 11, __mazurka_any_int());
    date->year = __mazurka_any_int();
    date->weekday = between(0, 6, __mazurka_any_int());
    date->yearday = between(0, 365, __mazurka_any_int());
    date->summer = __mazurka_any_int();
    date->offset = __mazurka_any_long();
    date->zone = zone_name;
    return date;
}

struct date *gmtime_r(const long *time, struct date *date) {
    struct date *result = localtime_r(time, date);
    if (result) {
        date->summer = 0;
        date->offset = 0;
    }
    return result;
}
