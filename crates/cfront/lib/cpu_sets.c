/* Sets of processors of any size. */

void *malloc(unsigned long size);
void free(void *memory);

enum { BITS = 8 * sizeof(unsigned long) };

void *__sched_cpualloc(unsigned long count) {
    return malloc((count + BITS - 1) / BITS * sizeof(unsigned long));
}

void __sched_cpufree(void *set) {
    free(set);
}
