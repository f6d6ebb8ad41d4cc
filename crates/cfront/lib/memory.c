/* Memory as bytes, one after the other; sizes that are constant and small are not done here. */

void __mazurka_memcpy(char *to, const char *from, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        to[at] = from[at];
    }
}

void __mazurka_memmove(char *to, const char *from, unsigned long size) {
    if (to <= from) {
        for (unsigned long at = 0; at < size; at++) {
            to[at] = from[at];
        }
        return;
    }
    for (unsigned long at = size; at > 0; at--) {
        to[at - 1] = from[at - 1];
    }
}

void __mazurka_memset(char *to, int byte, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        to[at] = (char)byte;
    }
}

void *memccpy(void *to, const void *from, int last, unsigned long size) {
    char *bytes = to;
    for (unsigned long at = 0; at < size; at++) {
        char c = ((const char *)from)[at];
        bytes[at] = c;
        if (c == (char)last) {
            return bytes + at + 1;
        }
    }
    return (void *)0;
}

void *memchr(const void *memory, int wanted, unsigned long size) {
    const unsigned char *bytes = memory;
    for (unsigned long at = 0; at < size; at++) {
        if (bytes[at] == (unsigned char)wanted) {
            return (void *)(bytes + at);
        }
    }
    return (void *)0;
}

void *rawmemchr(const void *memory, int wanted) {
    const unsigned char *bytes = memory;
    while (*bytes != (unsigned char)wanted) {
        bytes++;
    }
    return (void *)bytes;
}

void *memrchr(const void *memory, int wanted, unsigned long size) {
    const unsigned char *bytes = memory;
    for (unsigned long at = size; at > 0; at--) {
        if (bytes[at - 1] == (unsigned char)wanted) {
            return (void *)(bytes + at - 1);
        }
    }
    return (void *)0;
}

void *memmem(const void *memory, unsigned long size, const void *wanted, unsigned long length) {
    const char *bytes = memory;
    for (unsigned long start = 0; start + length <= size; start++) {
        unsigned long at = 0;
        while (at < length && bytes[start + at] == ((const char *)wanted)[at]) {
            at++;
        }
        if (at == length) {
            return (void *)(bytes + start);
        }
    }
    return (void *)0;
}

void *memfrob(void *memory, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        ((char *)memory)[at] ^= 42;
    }
    return memory;
}

/* Pairs of bytes change places. */
void swab(const void *from, void *to, long size) {
    for (long at = 0; at + 1 < size; at += 2) {
        char first = ((const char *)from)[at];
        ((char *)to)[at] = ((const char *)from)[at + 1];
        ((char *)to)[at + 1] = first;
    }
}
