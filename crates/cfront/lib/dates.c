/* Dates by the calendar of today. What the time zone does is known in a typical environment only. */

struct date { int second, minute, hour, day, month, year, weekday, yearday, summer; long offset; const char *zone; };

int __mazurka_typical(const char *assumption);
int __mazurka_any_int(void);
long __mazurka_any_long(void);
_Bool __mazurka_any_bool(void);
void __mazurka_assume(int condition);
int *__errno_location(void);

enum { EOVERFLOW = 75, MINUTE = 60, HOUR = 3600, DAY = 86400, WEEK = 7, MONTHS = 12, YEAR_0 = 1900 };
/* Days from the first of March in the year 0 to the epoch, and in 400 years. */
enum { TO_EPOCH = 719468, ERA = 146097, ERA_YEARS = 400 };

static const char gmt[] = "GMT", utc[] = "UTC", other_zone[] = "LMT";

static _Bool is_utc(void) {
    return __mazurka_typical("the time zone is UTC");
}

static long floor_div(long a, long b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Days from the epoch to a day of a month of a year; months count from 0 and may be any number. */
static long days_to(long year, long month, long day) {
    year += floor_div(month, MONTHS);
    month -= floor_div(month, MONTHS) * MONTHS;
    long from_march = month >= 2 ? year : year - 1;
    long era = floor_div(from_march, ERA_YEARS);
    long of_era = from_march - era * ERA_YEARS;
    long of_year = (153 * (month >= 2 ? month - 2 : month + 10) + 2) / 5;
    return era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - TO_EPOCH + day - 1;
}

/* Does the year of a time fit an int? */
static _Bool has_date(long long now) {
    const long long last = 67768036191676799, first = -67768040609740800;
    return now <= last && now >= first;
}

static void set_date(long time, struct date *date) {
    long days = floor_div(time, DAY);
    long rest = time - days * DAY;
    long shifted = days + TO_EPOCH;
    long era = floor_div(shifted, ERA);
    long of_era = shifted - era * ERA;
    long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long day = of_era - (365 * year + year / 4 - year / 100);
    long month = (5 * day + 2) / 153;
    long full = year + era * ERA_YEARS + (month >= 10);
    date->second = (int)(rest % MINUTE);
    date->minute = (int)(rest % HOUR / MINUTE);
    date->hour = (int)(rest / HOUR);
    date->day = (int)(day - (153 * month + 2) / 5 + 1);
    date->month = (int)(month < 10 ? month + 2 : month - 10);
    date->year = (int)(full - YEAR_0);
    date->weekday = (int)(days + 4 - floor_div(days + 4, WEEK) * WEEK);
    date->yearday = (int)(days - days_to(full, 0, 1));
}

struct date *gmtime_r(const long *time, struct date *date) {
    long now = *time;
    if (!has_date(now)) {
        *__errno_location() = EOVERFLOW;
        return (struct date *)0;
    }
    set_date(now, date);
    date->summer = 0;
    date->offset = 0;
    date->zone = gmt;
    return date;
}

static int between(int least, int most, int any) {
    __mazurka_assume(any >= least && any <= most);
    return any;
}

/* Some date: which one belongs to a time is not worked out. */
static void unknown_date(struct date *date) {
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
    date->zone = other_zone;
}

static _Bool unknown_failure(void) {
    return __mazurka_any_bool();
}

static struct date *local(long now, struct date *date) {
    if (is_utc() && has_date(now)) {
        set_date(now, date);
        date->summer = 0;
        date->offset = 0;
        date->zone = utc;
        return date;
    }
    /* Time zones move the limits. */
    if ((!has_date(now - DAY) || !has_date(now + DAY)) && unknown_failure()) {
        *__errno_location() = EOVERFLOW;
        return (struct date *)0;
    }
    unknown_date(date);
    return date;
}

struct date *localtime_r(const long *time, struct date *date) {
    return local(*time, date);
}

/* Nothing protects it. */
static struct date shared_date;

struct date *gmtime(const long *time) {
    return gmtime_r(time, &shared_date);
}

struct date *localtime(const long *time) {
    return local(*time, &shared_date);
}

static long seconds_of(const struct date *date) {
    long days = days_to((long)date->year + YEAR_0, date->month, date->day);
    return days * DAY + (long)date->hour * HOUR + (long)date->minute * MINUTE + date->second;
}

long timegm(struct date *date) {
    long time = seconds_of(date);
    if (!gmtime_r(&time, date)) {
        return -1;
    }
    return time;
}

static long unknown_time(void) {
    return __mazurka_any_long();
}

/* Without a summer time, one that the program asks for is not worked out. */
long mktime(struct date *date) {
    if (date->summer <= 0 && is_utc()) {
        long time = seconds_of(date);
        return local(time, date) ? time : -1;
    }
    unknown_date(date);
    return unknown_time();
}

long timelocal(struct date *date) {
    return mktime(date);
}

double difftime(long later, long earlier) {
    return (double)later - (double)earlier;
}
