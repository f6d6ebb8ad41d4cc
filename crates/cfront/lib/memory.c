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

int memcmp(const void *left, const void *right, unsigned long size) {
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (unsigned long at = 0; at < size; at++) {
        int difference = a[at] - b[at];
        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}

int __builtin_memcmp(const void *left, const void *right, unsigned long size) {
    return memcmp(left, right, size);
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
