/* Memory that changes its size. In front of each block of a program that calls this is its size. Where accesses are
   checked nothing may be in front of a block: there its size is in a list of hidden blocks, which
   keep no memory from being lost. */

int *__errno_location(void);
void *malloc(unsigned long size);
void *__mazurka_resized(unsigned long size);
void *__mazurka_hidden(unsigned long size);
void __mazurka_free_hidden(void *memory);
void __mazurka_lock(void *lock);
void __mazurka_unlock(void *lock);
int __mazurka_checks_memory(void);
void free(void *memory);
void *memcpy(void *to, const void *from, unsigned long size);

enum { ENOMEM = 12, HEAD = 16 };

struct block { struct block *next; void *place; unsigned long size; };

static struct block *blocks;
static int lock;

void __mazurka_register_block(void *memory, unsigned long size) {
    struct block *block = (struct block *)__mazurka_hidden(sizeof *block);
    block->place = memory;
    block->size = size;
    __mazurka_lock(&lock);
    block->next = blocks;
    blocks = block;
    __mazurka_unlock(&lock);
}

void __mazurka_forget_block(void *memory) {
    __mazurka_lock(&lock);
    struct block **at = &blocks;
    while (*at && (*at)->place != memory) {
        at = &(*at)->next;
    }
    struct block *gone = *at;
    if (gone) {
        *at = gone->next;
    }
    __mazurka_unlock(&lock);
    __mazurka_free_hidden(gone);
}

/* 0 for what is no block: whoever frees it is told so. */
static unsigned long registered_size(void *memory) {
    unsigned long size = 0;
    __mazurka_lock(&lock);
    for (struct block *at = blocks; at && size == 0; at = at->next) {
        size = at->place == memory ? at->size : 0;
    }
    __mazurka_unlock(&lock);
    return size;
}

static unsigned long size_in_front(void *memory) {
    return *(unsigned long *)((char *)memory - HEAD);
}

void *realloc(void *old, unsigned long size) {
    if (!old) {
        return malloc(size);
    }
    if (size == 0) {
        free(old);
        return (void *)0;
    }
    unsigned long had = __mazurka_checks_memory() ? registered_size(old) : size_in_front(old);
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
