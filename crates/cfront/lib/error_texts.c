/* Texts of error numbers, for which the caller has room. Those of numbers that are known are not worked out. */

char __mazurka_any_char(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
char *strerror(int number);

enum { EINVAL = 22, ERANGE = 34, LAST = 133, SHORTEST = 7, LONGEST = 50, DIGITS = 11 };

static const char unknown[] = "Unknown error ";

static _Bool is_known(int number) {
    return number >= 0 && number <= LAST && number != 41 && number != 58;
}

static char unknown_character(void) {
    return __mazurka_any_char();
}

static unsigned long unknown_length(void) {
    return (unsigned long)__mazurka_any_long();
}

/* As `snprintf` writes it. */
static void write_unknown(char *to, unsigned long size, int number) {
    char digits[DIGITS];
    unsigned left = number < 0 ? 0u - (unsigned)number : (unsigned)number, count = 0;
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (number < 0) {
        digits[count++] = '-';
    }
    unsigned long at = 0;
    for (; at + 1 < size && unknown[at]; at++) {
        to[at] = unknown[at];
    }
    for (; at + 1 < size && count > 0; at++) {
        to[at] = digits[--count];
    }
    if (size > 0) {
        to[at] = 0;
    }
}

/* The room is used for numbers that nobody knows. */
char *strerror_r(int number, char *to, unsigned long size) {
    if (is_known(number)) {
        return strerror(number);
    }
    write_unknown(to, size, number);
    return to;
}

/* The function of POSIX, which has the same name in C. */
int __xpg_strerror_r(int number, char *to, unsigned long size) {
    if (!is_known(number)) {
        write_unknown(to, size, number);
        return EINVAL;
    }
    unsigned long length = unknown_length();
    __mazurka_assume(length >= SHORTEST && length <= LONGEST);
    unsigned long end = length < size ? length : size - 1;
    for (unsigned long at = 0; size > 0 && at < end; at++) {
        char c = unknown_character();
        __mazurka_assume(c != 0);
        to[at] = c;
    }
    if (size > 0) {
        to[end] = 0;
    }
    return size <= length ? ERANGE : 0;
}
