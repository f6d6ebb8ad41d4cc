/* Numbers from text, in the locale that a program starts with. */

int *__errno_location(void);

enum { EINVAL = 22, ERANGE = 34 };

static int digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}

/* The number, in two's complement; `most` is the largest one of its type. */
static unsigned long long number(const char *text, char **end, int base, unsigned long long most, _Bool is_signed) {
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        return 0;
    }
    const char *at = text;
    while (*at == ' ' || (*at >= '\t' && *at <= '\r')) {
        at++;
    }
    _Bool negative = *at == '-';
    if (*at == '-' || *at == '+') {
        at++;
    }
    if ((base == 0 || base == 16) && *at == '0' && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    if (is_signed && negative) {
        most++;
    }
    unsigned long long value = 0;
    _Bool any = 0;
    _Bool too_large = 0;
    while (digit_of(*at) < base) {
        unsigned digit = (unsigned)digit_of(*at);
        too_large = too_large || value > (most - digit) / (unsigned)base;
        value = value * (unsigned)base + digit;
        any = 1;
        at++;
    }
    if (end) {
        *end = (char *)(any ? at : text);
    }
    if (too_large) {
        *__errno_location() = ERANGE;
        return is_signed && negative ? 0 - most : most;
    }
    return negative ? 0 - value : value;
}

long strtol(const char *text, char **end, int base) {
    return (long)number(text, end, base, (unsigned long)-1 >> 1, 1);
}

unsigned long strtoul(const char *text, char **end, int base) {
    return (unsigned long)number(text, end, base, (unsigned long)-1, 0);
}

long long strtoll(const char *text, char **end, int base) {
    return (long long)number(text, end, base, (unsigned long long)-1 >> 1, 1);
}

unsigned long long strtoull(const char *text, char **end, int base) {
    return number(text, end, base, (unsigned long long)-1, 0);
}

long long strtoq(const char *text, char **end, int base) {
    return strtoll(text, end, base);
}

unsigned long long strtouq(const char *text, char **end, int base) {
    return strtoull(text, end, base);
}

long long strtoimax(const char *text, char **end, int base) {
    return strtoll(text, end, base);
}

unsigned long long strtoumax(const char *text, char **end, int base) {
    return strtoull(text, end, base);
}

int atoi(const char *text) {
    return (int)strtol(text, (char **)0, 10);
}

long atol(const char *text) {
    return strtol(text, (char **)0, 10);
}

long long atoll(const char *text) {
    return strtoll(text, (char **)0, 10);
}
