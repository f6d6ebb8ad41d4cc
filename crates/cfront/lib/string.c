/* Strings, one character after the other. */

void *malloc(unsigned long size);
char __mazurka_any_char(void);

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

/* Copies a string; where its end is now. */
char *stpcpy(char *to, const char *from) {
    unsigned long at = 0;
    while (1) {
        char c = from[at];
        to[at] = c;
        if (c == 0) {
            return to + at;
        }
        at++;
    }
}

char *__stpcpy(char *to, const char *from) {
    return stpcpy(to, from);
}

char *strcpy(char *to, const char *from) {
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *to, const char *from, unsigned long size) {
    unsigned long at = 0;
    for (; at < size; at++) {
        char c = from[at];
        if (c == 0) {
            break;
        }
        to[at] = c;
    }
    for (unsigned long rest = at; rest < size; rest++) {
        to[rest] = 0;
    }
    return to + at;
}

char *__stpncpy(char *to, const char *from, unsigned long size) {
    return stpncpy(to, from, size);
}

char *strncpy(char *to, const char *from, unsigned long size) {
    stpncpy(to, from, size);
    return to;
}

unsigned long strlcpy(char *to, const char *from, unsigned long size) {
    unsigned long at = 0;
    for (; from[at]; at++) {
        if (at + 1 < size) {
            to[at] = from[at];
        }
    }
    if (size > 0) {
        to[at < size ? at : size - 1] = 0;
    }
    return at;
}

unsigned long strlcat(char *to, const char *from, unsigned long size) {
    unsigned long length = strnlen(to, size);
    return length + strlcpy(to + length, from, size - length);
}

/* In the locale "C" a string stands for itself. What is written of one that does not fit is left open. */
unsigned long strxfrm(char *to, const char *from, unsigned long size) {
    unsigned long length = strlen(from);
    if (length < size) {
        strcpy(to, from);
    } else {
        for (unsigned long at = 0; at < size; at++) {
            to[at] = __mazurka_any_char();
        }
    }
    return length;
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

char *strchrnul(const char *text, int wanted) {
    while (*text && *text != (char)wanted) {
        text++;
    }
    return (char *)text;
}

char *index(const char *text, int wanted) {
    return strchr(text, wanted);
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

char *rindex(const char *text, int wanted) {
    return strrchr(text, wanted);
}

char *basename(const char *path) {
    const char *slash = strrchr(path, '/');
    return (char *)(slash ? slash + 1 : path);
}

char *strstr(const char *text, const char *wanted) {
    unsigned long length = strlen(wanted);
    while (1) {
        unsigned long at = 0;
        while (at < length && text[at] == wanted[at]) {
            at++;
        }
        if (at == length) {
            return (char *)text;
        }
        if (*text == 0) {
            return (char *)0;
        }
        text++;
    }
}

char *strdup(const char *text) {
    char *copy = (char *)malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : copy;
}

char *strndup(const char *text, unsigned long most) {
    unsigned long length = strnlen(text, most);
    char *copy = (char *)malloc(length + 1);
    if (!copy) {
        return copy;
    }
    for (unsigned long at = 0; at < length; at++) {
        copy[at] = text[at];
    }
    copy[length] = 0;
    return copy;
}
