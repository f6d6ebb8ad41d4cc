/* Comparing. Of the result only the sign is said by the standard: any number of that sign comes back. The
   functions with `plain` in their names say which sign it is; they are called where only the sign matters. */

int __mazurka_any_int(void);
void __mazurka_assume(int condition);
int __mazurka_reads(void);
int tolower(int c);

static int of_sign(int difference, int any) {
    __mazurka_assume(difference < 0 ? any < 0 : any > 0);
    return any;
}

/* The rest may be read as well; only races and memory safety can tell. */
static void read_all(const unsigned char *a, const unsigned char *b, unsigned long at, unsigned long size) {
    if (__mazurka_reads()) {
        for (; at < size; at++) {
            int difference = a[at] - b[at];
            (void)difference;
        }
    }
}

int __mazurka_plain_memcmp(const void *left, const void *right, unsigned long size) {
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (unsigned long at = 0; at < size; at++) {
        int difference = a[at] - b[at];
        if (difference != 0) {
            read_all(a, b, at, size);
            return difference;
        }
    }
    return 0;
}

int __mazurka_plain_strncmp(const char *left, const char *right, unsigned long most) {
    for (unsigned long at = 0; at < most; at++) {
        unsigned char a = (unsigned char)left[at];
        unsigned char b = (unsigned char)right[at];
        if (a != b || a == 0) {
            return a - b;
        }
    }
    return 0;
}

int __mazurka_plain_strcmp(const char *left, const char *right) {
    return __mazurka_plain_strncmp(left, right, (unsigned long)-1);
}

int __mazurka_plain_strncasecmp(const char *left, const char *right, unsigned long most) {
    for (unsigned long at = 0; at < most; at++) {
        int a = tolower((unsigned char)left[at]);
        int b = tolower((unsigned char)right[at]);
        if (a != b || a == 0) {
            return a - b;
        }
    }
    return 0;
}

int __mazurka_plain_strcasecmp(const char *left, const char *right) {
    return __mazurka_plain_strncasecmp(left, right, (unsigned long)-1);
}

int memcmp(const void *left, const void *right, unsigned long size) {
    int difference = __mazurka_plain_memcmp(left, right, size);
    return difference == 0 ? 0 : of_sign(difference, __mazurka_any_int());
}

/* These may return anything but 0 for memory that differs. */
int bcmp(const void *left, const void *right, unsigned long size) {
    int difference = __mazurka_plain_memcmp(left, right, size);
    if (difference == 0) {
        return 0;
    }
    int any = __mazurka_any_int();
    __mazurka_assume(any != 0);
    return any;
}

int __memcmpeq(const void *left, const void *right, unsigned long size) {
    return bcmp(left, right, size);
}

int strcmp(const char *left, const char *right) {
    int difference = __mazurka_plain_strcmp(left, right);
    return difference == 0 ? 0 : of_sign(difference, __mazurka_any_int());
}

/* In the locale that a program starts with, this is the same. */
int strcoll(const char *left, const char *right) {
    int difference = __mazurka_plain_strcmp(left, right);
    return difference == 0 ? 0 : of_sign(difference, __mazurka_any_int());
}

int strncmp(const char *left, const char *right, unsigned long most) {
    int difference = __mazurka_plain_strncmp(left, right, most);
    return difference == 0 ? 0 : of_sign(difference, __mazurka_any_int());
}

int strcasecmp(const char *left, const char *right) {
    int difference = __mazurka_plain_strcasecmp(left, right);
    return difference == 0 ? 0 : of_sign(difference, __mazurka_any_int());
}

int strncasecmp(const char *left, const char *right, unsigned long most) {
    int difference = __mazurka_plain_strncasecmp(left, right, most);
    return difference == 0 ? 0 : of_sign(difference, __mazurka_any_int());
}

char *strcasestr(const char *text, const char *wanted) {
    unsigned long length = 0;
    while (wanted[length]) {
        length++;
    }
    while (1) {
        if (__mazurka_plain_strncasecmp(text, wanted, length) == 0) {
            return (char *)text;
        }
        if (*text == 0) {
            return (char *)0;
        }
        text++;
    }
}
