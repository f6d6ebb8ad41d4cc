/* Sorting and searching, with a function of the program that compares. In which order elements are compared
   is open; here it is that of sorting by insertion. Equal elements end up in any order. */

_Bool __mazurka_any_bool(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
int __mazurka_reads(void);
int __mazurka_typical(const char *assumption);
void *malloc(unsigned long size);
void free(void *memory);
void *memmove(void *to, const void *from, unsigned long size);

enum { ROOM = 32 };

/* The library may move an element and put it back. */
static void touch(char *memory, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        char byte = memory[at];
        memory[at] = byte;
    }
}

static int compare_by(int (*compare)(const void *, const void *), int (*with)(const void *, const void *, void *),
                      void *data, const void *a, const void *b) {
    return with ? with(a, b, data) : compare(a, b);
}

static void sort(char *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *),
                 int (*with)(const void *, const void *, void *), void *data) {
    if (count < 2 || size == 0) {
        return;
    }
    if (__mazurka_reads()) {
        touch(base, count * size);
    }
    /* As the real one, it needs no memory for small elements, so that a jump out of the function that compares loses
       none; and it does without if there is none. */
    char room[ROOM];
    char *kept = size <= ROOM ? room : malloc(size);
    __mazurka_assume(kept != (char *)0);
    for (unsigned long next = 1; next < count; next++) {
        for (unsigned long at = next; at > 0; at--) {
            char *before = base + (at - 1) * size;
            char *element = base + at * size;
            int order = compare_by(compare, with, data, before, element);
            if (order < 0 || (order == 0 && __mazurka_any_bool())) {
                break;
            }
            memmove(kept, before, size);
            memmove(before, element, size);
            memmove(element, kept, size);
        }
    }
    if (size > ROOM) {
        free(kept);
    }
}

void qsort(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
    sort(base, count, size, compare, (int (*)(const void *, const void *, void *))0, (void *)0);
}

void qsort_r(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *, void *),
             void *data) {
    sort(base, count, size, (int (*)(const void *, const void *))0, compare, data);
}

/* Any element may be compared next; of several equal ones any is found. */
void *bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
              int (*compare)(const void *, const void *)) {
    unsigned long low = 0;
    unsigned long high = count;
    while (low < high) {
        unsigned long at = low + (high - low) / 2;
        if (!__mazurka_typical("`bsearch` looks at the element in the middle")) {
            at = (unsigned long)__mazurka_any_long();
            __mazurka_assume(low <= at && at < high);
        }
        const char *element = (const char *)base + at * size;
        int order = compare(key, element);
        if (order == 0) {
            return (void *)element;
        }
        if (order < 0) {
            high = at;
        } else {
            low = at + 1;
        }
    }
    return (void *)0;
}
