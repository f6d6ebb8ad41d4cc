/* Printing to memory: each function puts something behind what is there already, as far as there is
   room, and says how long everything is. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);
void __mazurka_any_errno(void);
int __mazurka_reads(void);
int __mazurka_formats_store(void);
void __mazurka_formats_known(void);
void *malloc(unsigned long size);

enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16, UPPER = 32 };

/* What a floating number may need, also a `long double`: its digits before the point, a sign, a point, an
   exponent. */
enum { MOST_FLOATING = 4970 };

unsigned long __mazurka_put(char *to, unsigned long size, unsigned long length, int c) {
    if (length + 1 < size) {
        to[length] = (char)c;
    }
    return length + 1;
}

static unsigned long pad(char *to, unsigned long size, unsigned long length, int c, int count) {
    for (; count > 0; count--) {
        length = __mazurka_put(to, size, length, c);
    }
    return length;
}

unsigned long __mazurka_put_char(char *to, unsigned long size, unsigned long length, int c, int flags, int width) {
    if (!(flags & LEFT)) {
        length = pad(to, size, length, ' ', width - 1);
    }
    length = __mazurka_put(to, size, length, c);
    if (flags & LEFT) {
        length = pad(to, size, length, ' ', width - 1);
    }
    return length;
}

unsigned long __mazurka_put_text(char *to, unsigned long size, unsigned long length, const char *text, int flags,
                                 int width, int precision) {
    int count = 0;
    if (width > 0) {
        while ((precision < 0 || count < precision) && text[count]) {
            count++;
        }
    }
    if (!(flags & LEFT)) {
        length = pad(to, size, length, ' ', width - count);
    }
    for (int at = 0; (precision < 0 || at < precision) && text[at]; at++) {
        length = __mazurka_put(to, size, length, text[at]);
    }
    if (flags & LEFT) {
        length = pad(to, size, length, ' ', width - count);
    }
    return length;
}

static unsigned long put_number(char *to, unsigned long size, unsigned long length, unsigned long long number,
                                int sign, int base, int flags, int width, int precision) {
    unsigned long long scale = 1;
    int digits = 0;
    if (number > 0 || precision != 0) {
        digits = 1;
        while (number / scale >= (unsigned)base) {
            scale *= (unsigned)base;
            digits++;
        }
    }
    int zeros = precision > digits ? precision - digits : 0;
    int prefix = 0;
    if (flags & ALTERNATE) {
        if (base == 8 && zeros == 0 && (number > 0 || digits == 0)) {
            zeros = 1;
        }
        prefix = base == 16 && number > 0 ? 2 : 0;
    }
    int blanks = width - digits - zeros - prefix - (sign != 0);
    if ((flags & ZERO) && !(flags & LEFT) && precision < 0 && blanks > 0) {
        zeros += blanks;
        blanks = 0;
    }
    if (!(flags & LEFT)) {
        length = pad(to, size, length, ' ', blanks);
    }
    if (sign) {
        length = __mazurka_put(to, size, length, sign);
    }
    if (prefix) {
        length = __mazurka_put(to, size, length, '0');
        length = __mazurka_put(to, size, length, flags & UPPER ? 'X' : 'x');
    }
    length = pad(to, size, length, '0', zeros);
    for (; digits > 0; digits--) {
        int digit = (int)(number / scale % (unsigned)base);
        int letter = flags & UPPER ? 'A' : 'a';
        length = __mazurka_put(to, size, length, digit < 10 ? '0' + digit : letter + digit - 10);
        scale /= (unsigned)base;
    }
    if (flags & LEFT) {
        length = pad(to, size, length, ' ', blanks);
    }
    return length;
}

unsigned long __mazurka_put_unsigned(char *to, unsigned long size, unsigned long length, unsigned long long number,
                                     int base, int flags, int width, int precision) {
    return put_number(to, size, length, number, 0, base, flags, width, precision);
}

unsigned long __mazurka_put_signed(char *to, unsigned long size, unsigned long length, long long number, int flags,
                                   int width, int precision) {
    unsigned long long magnitude = (unsigned long long)number;
    int sign = flags & PLUS ? '+' : flags & SPACE ? ' ' : 0;
    if (number < 0) {
        sign = '-';
        magnitude = 0 - magnitude;
    }
    return put_number(to, size, length, magnitude, sign, 10, flags, width, precision);
}

/* Text that is determined but not worked out. */
unsigned long __mazurka_put_unknown(char *to, unsigned long size, unsigned long length, int least, int most) {
    int count = __mazurka_any_int();
    __mazurka_assume(count >= least && count <= most);
    for (; count > 0; count--) {
        char c = __mazurka_any_char();
        __mazurka_assume(c != 0);
        length = __mazurka_put(to, size, length, c);
    }
    return length;
}

unsigned long __mazurka_put_floating(char *to, unsigned long size, unsigned long length, int width, int precision) {
    int most = MOST_FLOATING + (precision > 0 ? precision : 0);
    return __mazurka_put_unknown(to, size, length, width > 1 ? width : 1, width > most ? width : most);
}

unsigned long __mazurka_put_address(char *to, unsigned long size, unsigned long length, const void *address, int flags,
                                    int width) {
    if (!address) {
        char nil[] = {'(', 'n', 'i', 'l', ')', 0};
        return __mazurka_put_text(to, size, length, nil, flags, width, -1);
    }
    int most = 2 + 2 * (int)sizeof address;
    return __mazurka_put_unknown(to, size, length, width > 3 ? width : 3, width > most ? width : most);
}

unsigned long __mazurka_put_end(char *to, unsigned long size, unsigned long length) {
    if (size > 0) {
        to[length < size ? length : size - 1] = 0;
    }
    return length;
}

static void read_text(const char *text, int precision) {
    for (int at = 0; (precision < 0 || at < precision) && text[at]; at++) {
    }
}

/* All of it, by a format that is known only now. If nobody wants to know how much it is, nothing is counted. */
static unsigned long put_all(char *to, unsigned long size, const char *format, __builtin_va_list list, _Bool counts) {
    __mazurka_formats_known();
    unsigned long length = 0;
    while (*format) {
        if (*format != '%') {
            length = counts ? __mazurka_put(to, size, length, *format) : 0;
            format++;
            continue;
        }
        format++;
        int flags = 0;
        for (;; format++) {
            if (*format == '-') {
                flags |= LEFT;
            } else if (*format == '+') {
                flags |= PLUS;
            } else if (*format == ' ') {
                flags |= SPACE;
            } else if (*format == '#') {
                flags |= ALTERNATE;
            } else if (*format == '0') {
                flags |= ZERO;
            } else if (*format != '\'') {
                break;
            }
        }
        int width = 0;
        if (*format == '*') {
            width = __builtin_va_arg(list, int);
            if (width < 0) {
                flags |= LEFT;
                width = -width;
            }
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++) {
            width = width * 10 + (*format - '0');
        }
        int precision = -1;
        if (*format == '.') {
            format++;
            precision = 0;
            if (*format == '*') {
                precision = __builtin_va_arg(list, int);
                format++;
            }
            for (; *format >= '0' && *format <= '9'; format++) {
                precision = precision * 10 + (*format - '0');
            }
        }
        /* -2 to 2: from `char` to `long long`. */
        int rank = 0;
        for (;; format++) {
            if (*format == 'h') {
                rank--;
            } else if (*format == 'l') {
                rank++;
            } else if (*format == 'z' || *format == 't') {
                rank = 1;
            } else if (*format == 'j' || *format == 'q' || *format == 'L') {
                rank = 2;
            } else {
                break;
            }
        }
        char kind = *format;
        if (!kind) {
            break;
        }
        format++;
        if (kind == '%') {
            length = counts ? __mazurka_put(to, size, length, '%') : 0;
        } else if (kind == 'd' || kind == 'i') {
            long long number = rank >= 2 ? __builtin_va_arg(list, long long)
                : rank == 1 ? __builtin_va_arg(list, long) : __builtin_va_arg(list, int);
            if (counts) {
                number = rank == -1 ? (short)number : rank < -1 ? (signed char)number : number;
                length = __mazurka_put_signed(to, size, length, number, flags, width, precision);
            }
        } else if (kind == 'u' || kind == 'o' || kind == 'x' || kind == 'X') {
            unsigned long long number = rank >= 2 ? __builtin_va_arg(list, unsigned long long)
                : rank == 1 ? __builtin_va_arg(list, unsigned long) : __builtin_va_arg(list, unsigned);
            if (counts) {
                number = rank == -1 ? (unsigned short)number : rank < -1 ? (unsigned char)number : number;
                int base = kind == 'u' ? 10 : kind == 'o' ? 8 : 16;
                int upper = kind == 'X' ? UPPER : 0;
                length = put_number(to, size, length, number, 0, base, flags | upper, width, precision);
            }
        } else if (kind == 'c' && rank == 0) {
            int character = __builtin_va_arg(list, int);
            length = counts ? __mazurka_put_char(to, size, length, character, flags, width) : 0;
        } else if (kind == 's' && rank == 0) {
            const char *text = __builtin_va_arg(list, const char *);
            if (counts) {
                length = __mazurka_put_text(to, size, length, text, flags, width, precision);
            } else {
                read_text(text, precision);
            }
        } else if (kind == 'p') {
            const void *address = __builtin_va_arg(list, const void *);
            length = counts ? __mazurka_put_address(to, size, length, address, flags, width) : 0;
        } else if (kind == 'n') {
            void *count = __builtin_va_arg(list, void *);
            if (rank >= 2) {
                *(long long *)count = (long long)length;
            } else if (rank == 1) {
                *(long *)count = (long)length;
            } else if (rank == 0) {
                *(int *)count = (int)length;
            } else if (rank == -1) {
                *(short *)count = (short)length;
            } else {
                *(signed char *)count = (signed char)length;
            }
        } else if (kind == 'm') {
            length = counts ? __mazurka_put_unknown(to, size, length, width, 64 + width) : 0;
        } else {
            double number = __builtin_va_arg(list, double);
            (void)number;
            length = counts ? __mazurka_put_floating(to, size, length, width, precision) : 0;
        }
    }
    return __mazurka_put_end(to, size, length);
}

int vsnprintf(char *to, unsigned long size, const char *format, __builtin_va_list list) {
    return (int)put_all(to, size, format, list, 1);
}

int vsprintf(char *to, const char *format, __builtin_va_list list) {
    return (int)put_all(to, (unsigned long)-1, format, list, 1);
}

int __mazurka_snprintf(char *to, unsigned long size, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = (int)put_all(to, size, format, list, 1);
    __builtin_va_end(list);
    return length;
}

int vasprintf(char **to, const char *format, __builtin_va_list list) {
    __builtin_va_list again;
    __builtin_va_copy(again, list);
    unsigned long length = put_all((char *)0, 0, format, list, 1);
    *to = malloc(length + 1);
    if (!*to) {
        return -1;
    }
    /* What is not worked out is the same both times. */
    __mazurka_assume(put_all(*to, length + 1, format, again, 1) == length);
    __builtin_va_end(again);
    return (int)length;
}

int asprintf(char **to, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = vasprintf(to, format, list);
    __builtin_va_end(list);
    return length;
}

/* How much was printed, which is determined but not worked out. */
static int printed(void) {
    int count = __mazurka_any_int();
    __mazurka_assume(count >= 0);
    return count;
}

/* Printing to a file: what is printed is read, if anyone can tell, and `%n` is written. */
static int print(const char *format, __builtin_va_list list) {
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return -1;
    }
    if (__mazurka_formats_store()) {
        return (int)put_all((char *)0, 0, format, list, 1);
    }
    if (__mazurka_reads()) {
        put_all((char *)0, 0, format, list, 0);
    }
    return printed();
}

int vprintf(const char *format, __builtin_va_list list) {
    return print(format, list);
}

int vfprintf(void *stream, const char *format, __builtin_va_list list) {
    char used = *(char *)stream;
    (void)used;
    return print(format, list);
}

int vdprintf(int file, const char *format, __builtin_va_list list) {
    (void)file;
    return print(format, list);
}
