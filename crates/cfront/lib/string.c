/* Strings, one character after the other. */

void *malloc(unsigned long size);

unsigned long strlen(const char *text) {
    unsigned long length = 0;
    while (text[length]) {
        length++;
    }
    return length;
}

unsigned long strnlen(const char *text, unsigned long most) {
    unsigned long length = 0;
    while (length < most && text[length]) {
        length++;
    }
    return length;
}

int strcmp(const char *left, const char *right) {
    unsigned long at = 0;
    while (1) {
        unsigned char a = (unsigned char)left[at];
        unsigned char b = (unsigned char)right[at];
        if (a != b || a == 0) {
            return a - b;
        }
        at++;
    }
}

int strncmp(const char *left, const char *right, unsigned long most) {
    for (unsigned long at = 0; at < most; at++) {
        unsigned char a = (unsigned char)left[at];
        unsigned char b = (unsigned char)right[at];
        if (a != b || a == 0) {
            return a - b;
        }
    }
    return 0;
}

char *strcpy(char *to, const char *from) {
    unsigned long at = 0;
    while (1) {
        char c = from[at];
        to[at] = c;
        if (c == 0) {
            return to;
        }
        at++;
    }
}

char *strncpy(char *to, const char *from, unsigned long size) {
    unsigned long at = 0;
    for (; at < size; at++) {
        char c = from[at];
        if (c == 0) {
            break;
        }
        to[at] = c;
    }
    for (; at < size; at++) {
        to[at] = 0;
    }
    return to;
}

char *strcat(char *to, const char *from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, unsigned long most) {
    unsigned long length = strlen(to);
    unsigned long at = 0;
    for (; at < most; at++) {
        char c = from[at];
        if (c == 0) {
            break;
        }
        to[length + at] = c;
    }
    to[length + at] = 0;
    return to;
}

char *strchr(const char *text, int wanted) {
    while (1) {
        char c = *text;
        if (c == (char)wanted) {
            return (char *)text;
        }
        if (c == 0) {
            return (char *)0;
        }
        text++;
    }
}

char *strrchr(const char *text, int wanted) {
    const char *last = (const char *)0;
    while (1) {
        char c = *text;
        if (c == (char)wanted) {
            last = text;
        }
        if (c == 0) {
            return (char *)last;
        }
        text++;
    }
}

char *strstr(const char *text, const char *wanted) {
    unsigned long length = strlen(wanted);
    while (1) {
        if (strncmp(text, wanted, length) == 0) {
            return (char *)text;
        }
        if (*text == 0) {
            return (char *)0;
        }
        text++;
    }
}

char *strdup(const char *text) {
    return strcpy((char *)malloc(strlen(text) + 1), text);
}

char *strndup(const char *text, unsigned long most) {
    unsigned long length = strnlen(text, most);
    char *copy = (char *)malloc(length + 1);
    for (unsigned long at = 0; at < length; at++) {
        copy[at] = text[at];
    }
    copy[length] = 0;
    return copy;
}
