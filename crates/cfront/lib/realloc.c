/* Memory that changes its size. In front of each block of a program that calls this is its size. */

int *__errno_location(void);
void *malloc(unsigned long size);
void *__mazurka_resized(unsigned long size);
void free(void *memory);
void *memcpy(void *to, const void *from, unsigned long size);

enum { ENOMEM = 12, HEAD = 16 };

void *realloc(void *old, unsigned long size) {
    if (!old) {
        return malloc(size);
    }
    if (size == 0) {
        free(old);
        return (void *)0;
    }
    unsigned long had = *(unsigned long *)((char *)old - HEAD);
    void *now = __mazurka_resized(size);
    if (!now) {
        return now;
    }
    memcpy(now, old, had < size ? had : size);
    free(old);
    return now;
}

void *reallocarray(void *old, unsigned long count, unsigned long each) {
    if (each > 0 && count > (unsigned long)-1 / each) {
        *__errno_location() = ENOMEM;
        return (void *)0;
    }
    return realloc(old, count * each);
}
