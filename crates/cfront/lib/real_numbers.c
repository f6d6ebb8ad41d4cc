/* Floating numbers from text, in the locale that a program starts with. Where one is found in the text is worked out;
   which one, if its digits and the power of ten are both exact, so that one operation rounds as it should. */

double __mazurka_any_double(void);
float __mazurka_any_float(void);
_Bool __mazurka_any_bool(void);
int *__errno_location(void);

enum { ERANGE = 34, MOST_POWER = 22, MOST_POWER_OF_FLOAT = 10, TOO_LARGE = 9999 };

/* What the text says: digits and a power of ten, or something that is not worked out. */
struct number { const char *end; unsigned long long digits; int power; _Bool negative, is_there, is_plain; };

static _Bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static _Bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static char small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static _Bool starts(const char *text, const char *word) {
    while (*word) {
        if (small(*text) != *word) {
            return 0;
        }
        text++;
        word++;
    }
    return 1;
}

/* Behind `nan`: characters in brackets. */
static const char *after_brackets(const char *text) {
    const char *at = text;
    if (*at != '(') {
        return text;
    }
    at++;
    while (is_digit(*at) || *at == '_' || (small(*at) >= 'a' && small(*at) <= 'z')) {
        at++;
    }
    return *at == ')' ? at + 1 : text;
}

/* Behind an exponent, if there is one; its value is added to `power`. */
static const char *after_exponent(const char *text, char letter, int *power) {
    if (small(*text) != letter) {
        return text;
    }
    const char *at = text + 1;
    _Bool negative = *at == '-';
    if (*at == '-' || *at == '+') {
        at++;
    }
    if (!is_digit(*at)) {
        return text;
    }
    int value = 0;
    while (is_digit(*at)) {
        value = value < TOO_LARGE ? value * 10 + (*at - '0') : value;
        at++;
    }
    *power += negative ? -value : value;
    return at;
}

static void read_hexadecimal(struct number *number, const char *at) {
    int power = 0;
    while (is_hex_digit(*at)) {
        at++;
    }
    if (*at == '.') {
        at++;
    }
    while (is_hex_digit(*at)) {
        at++;
    }
    number->is_there = 1;
    number->end = after_exponent(at, 'p', &power);
}

static void read_decimal(struct number *number, const char *at) {
    _Bool fits = 1;
    for (_Bool is_fraction = 0; is_digit(*at) || (*at == '.' && !is_fraction); at++) {
        if (*at == '.') {
            is_fraction = 1;
            continue;
        }
        number->is_there = 1;
        fits = fits && number->digits < 900000000000000;
        number->digits = fits ? number->digits * 10 + (unsigned long long)(*at - '0') : 0;
        number->power -= is_fraction;
    }
    if (number->is_there) {
        number->is_plain = fits;
        number->end = after_exponent(at, 'e', &number->power);
    }
}

static void read_number(struct number *number, const char *text, char **end) {
    const char *at = text;
    number->end = text;
    number->digits = 0;
    number->power = 0;
    number->is_there = 0;
    number->is_plain = 0;
    while (*at == ' ' || (*at >= '\t' && *at <= '\r')) {
        at++;
    }
    number->negative = *at == '-';
    if (*at == '-' || *at == '+') {
        at++;
    }
    if (starts(at, "inf")) {
        number->is_there = 1;
        number->end = starts(at, "infinity") ? at + 8 : at + 3;
    } else if (starts(at, "nan")) {
        number->is_there = 1;
        number->end = after_brackets(at + 3);
    } else if (starts(at, "0x") && (is_hex_digit(at[2]) || (at[2] == '.' && is_hex_digit(at[3])))) {
        read_hexadecimal(number, at + 2);
    } else {
        read_decimal(number, at);
    }
    if (end) {
        *end = (char *)number->end;
    }
}

static void may_be_out_of_range(void) {
    if (__mazurka_any_bool()) {
        *__errno_location() = ERANGE;
    }
}

static double unknown_number(void) {
    may_be_out_of_range();
    return __mazurka_any_double();
}

static float unknown_small_number(void) {
    may_be_out_of_range();
    return __mazurka_any_float();
}

static double power_of_ten(int power) {
    double result = 1.0;
    for (int at = 0; at < power; at++) {
        result *= 10.0;
    }
    return result;
}

double strtod(const char *text, char **end) {
    struct number number;
    read_number(&number, text, end);
    if (!number.is_there) {
        return 0.0;
    }
    if (!number.is_plain || number.power > MOST_POWER || number.power < -MOST_POWER) {
        return unknown_number();
    }
    double value = (double)number.digits;
    if (number.power < 0) {
        value /= power_of_ten(-number.power);
    } else if (number.power > 0) {
        value *= power_of_ten(number.power);
    }
    return number.negative ? -value : value;
}

float strtof(const char *text, char **end) {
    struct number number;
    read_number(&number, text, end);
    if (!number.is_there) {
        return 0.0f;
    }
    _Bool is_exact = number.is_plain && number.digits <= 1 << 24;
    if (!is_exact || number.power > MOST_POWER_OF_FLOAT || number.power < -MOST_POWER_OF_FLOAT) {
        return unknown_small_number();
    }
    float value = (float)number.digits;
    if (number.power < 0) {
        value /= (float)power_of_ten(-number.power);
    } else if (number.power > 0) {
        value *= (float)power_of_ten(number.power);
    }
    return number.negative ? -value : value;
}

double atof(const char *text) {
    return strtod(text, (char **)0);
}
