/* Dates as texts, in the locale "C". */

struct date { int second, minute, hour, day, month, year, weekday, yearday, summer; long offset; const char *zone; };

int __mazurka_any_int(void);
long __mazurka_any_long(void);
_Bool __mazurka_any_bool(void);
void __mazurka_assume(int condition);
struct date *localtime(const long *time);
struct date *localtime_r(const long *time, struct date *date);

enum { MINUTE = 60, WEEK = 7, MONTHS = 12, YEAR_0 = 1900, ROOM = 26 };

/* Nothing protects it. */
static char shared_text[ROOM];

/* A text that grows, up to `size` with its end. */
struct text { char *to; unsigned long size, length; };

static void put(struct text *text, char c) {
    unsigned long at = text->length;
    if (at < text->size) {
        text->to[at] = c;
    }
    text->length = at + 1;
}

static void put_text(struct text *text, const char *from) {
    while (*from) {
        put(text, *from++);
    }
}

static void put_part(struct text *text, const char *from, int count) {
    for (int at = 0; at < count && from[at]; at++) {
        put(text, from[at]);
    }
}

/* A number with at least `width` characters. */
static void put_number(struct text *text, long number, int width, char fill) {
    char digits[20];
    int count = 0;
    unsigned long rest = number < 0 ? -(unsigned long)number : (unsigned long)number;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        put(text, '-');
        width--;
    }
    for (int at = count; at < width; at++) {
        put(text, fill);
    }
    while (count > 0) {
        put(text, digits[--count]);
    }
}

static const char *const week_days[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const month_names[] = { "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December" };

static const char *week_day(int number) {
    return number >= 0 && number < WEEK ? week_days[number] : "?";
}

static const char *month_name(int number) {
    return number >= 0 && number < MONTHS ? month_names[number] : "?";
}

static void put_time(struct text *text, const struct date *date, _Bool seconds) {
    put_number(text, date->hour, 2, '0');
    put(text, ':');
    put_number(text, date->minute, 2, '0');
    if (seconds) {
        put(text, ':');
        put_number(text, date->second, 2, '0');
    }
}

static int hour_of_half(int hour) {
    return hour % 12 == 0 ? 12 : hour % 12;
}

static void put_offset(struct text *text, const struct date *date) {
    if (date->summer < 0) {
        return;
    }
    long minutes = date->offset / MINUTE;
    put(text, date->offset < 0 ? '-' : '+');
    minutes = minutes < 0 ? -minutes : minutes;
    put_number(text, minutes / 60 * 100 + minutes % 60, 4, '0');
}

/* What a conversion with one letter gives; false if it is not worked out. */
static _Bool put_field(struct text *text, char letter, const struct date *date) {
    long year = (long)date->year + YEAR_0;
    switch (letter) {
    case 'a': put_part(text, week_day(date->weekday), 3); return 1;
    case 'A': put_text(text, week_day(date->weekday)); return 1;
    case 'b': case 'h': put_part(text, month_name(date->month), 3); return 1;
    case 'B': put_text(text, month_name(date->month)); return 1;
    case 'C': put_number(text, year / 100 - (year % 100 < 0), 2, '0'); return 1;
    case 'd': put_number(text, date->day, 2, '0'); return 1;
    case 'e': put_number(text, date->day, 2, ' '); return 1;
    case 'H': put_number(text, date->hour, 2, '0'); return 1;
    case 'I': put_number(text, hour_of_half(date->hour), 2, '0'); return 1;
    case 'j': put_number(text, (long)date->yearday + 1, 3, '0'); return 1;
    case 'm': put_number(text, (long)date->month + 1, 2, '0'); return 1;
    case 'M': put_number(text, date->minute, 2, '0'); return 1;
    case 'n': put(text, '\n'); return 1;
    case 'p': put_text(text, date->hour > 11 ? "PM" : "AM"); return 1;
    case 'S': put_number(text, date->second, 2, '0'); return 1;
    case 't': put(text, '\t'); return 1;
    case 'u': put_number(text, date->weekday == 0 ? 7 : date->weekday, 1, '0'); return 1;
    case 'w': put_number(text, date->weekday, 1, '0'); return 1;
    case 'y': put_number(text, (year % 100 + 100) % 100, 2, '0'); return 1;
    case 'Y': put_number(text, year, 1, '0'); return 1;
    case 'z': put_offset(text, date); return 1;
    case 'Z': put_text(text, date->zone ? date->zone : ""); return 1;
    case '%': put(text, '%'); return 1;
    default: return 0;
    }
}

/* The same for those that stand for several. */
static _Bool put_fields(struct text *text, char letter, const struct date *date) {
    switch (letter) {
    case 'c':
        put_part(text, week_day(date->weekday), 3);
        put(text, ' ');
        put_part(text, month_name(date->month), 3);
        put(text, ' ');
        put_number(text, date->day, 2, ' ');
        put(text, ' ');
        put_time(text, date, 1);
        put(text, ' ');
        put_number(text, (long)date->year + YEAR_0, 1, '0');
        return 1;
    case 'D': case 'x':
        put_number(text, (long)date->month + 1, 2, '0');
        put(text, '/');
        put_number(text, date->day, 2, '0');
        put(text, '/');
        put_number(text, (((long)date->year + YEAR_0) % 100 + 100) % 100, 2, '0');
        return 1;
    case 'F':
        put_number(text, (long)date->year + YEAR_0, 1, '0');
        put(text, '-');
        put_number(text, (long)date->month + 1, 2, '0');
        put(text, '-');
        put_number(text, date->day, 2, '0');
        return 1;
    case 'R': put_time(text, date, 0); return 1;
    case 'T': case 'X': put_time(text, date, 1); return 1;
    case 'r':
        put_number(text, hour_of_half(date->hour), 2, '0');
        put(text, ':');
        put_number(text, date->minute, 2, '0');
        put(text, ':');
        put_number(text, date->second, 2, '0');
        put_text(text, date->hour > 11 ? " PM" : " AM");
        return 1;
    default: return put_field(text, letter, date);
    }
}

static unsigned long unknown_length(void) {
    return (unsigned long)__mazurka_any_long();
}

static char unknown_character(void) {
    return (char)__mazurka_any_int();
}

/* Some text that fits, or none. */
static unsigned long unknown_text(char *to, unsigned long size) {
    unsigned long length = unknown_length();
    __mazurka_assume(length < size || length == 0);
    for (unsigned long at = 0; at < length; at++) {
        char c = unknown_character();
        __mazurka_assume(c != 0);
        to[at] = c;
    }
    if (size > 0) {
        to[length] = 0;
    }
    return length;
}

static _Bool unknown_failure(void) {
    return __mazurka_any_bool();
}

/* What a text that does not fit leaves behind is open. */
static unsigned long spoil(char *to, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        to[at] = unknown_character();
    }
    return 0;
}

unsigned long strftime(char *to, unsigned long size, const char *format, const struct date *date) {
    struct text text = { to, size, 0 };
    for (; *format; format++) {
        if (*format != '%') {
            put(&text, *format);
        } else if (!put_fields(&text, *++format, date)) {
            return unknown_text(to, size);
        }
        if (text.length >= size) {
            return spoil(to, size);
        }
    }
    put(&text, 0);
    return text.length <= size ? text.length - 1 : spoil(to, size);
}

char *asctime_r(const struct date *date, char *to) {
    struct text text = { to, ROOM, 0 };
    long year = (long)date->year + YEAR_0;
    if (year < 0 || year > 9999) {
        return unknown_failure() ? (char *)0 : (unknown_text(to, ROOM), to);
    }
    put_part(&text, date->weekday >= 0 && date->weekday < WEEK ? week_days[date->weekday] : "???", 3);
    put(&text, ' ');
    put_part(&text, date->month >= 0 && date->month < MONTHS ? month_names[date->month] : "???", 3);
    put_number(&text, date->day, 3, ' ');
    put(&text, ' ');
    put_time(&text, date, 1);
    put(&text, ' ');
    put_number(&text, year, 1, '0');
    put(&text, '\n');
    put(&text, 0);
    return to;
}

char *asctime(const struct date *date) {
    return asctime_r(date, shared_text);
}

char *ctime_r(const long *time, char *to) {
    struct date date;
    struct date *found = localtime_r(time, &date);
    return found ? asctime_r(found, to) : (char *)0;
}

char *ctime(const long *time) {
    struct date *found = localtime(time);
    return found ? asctime(found) : (char *)0;
}
