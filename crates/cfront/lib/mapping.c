/* Memory that a program maps: zeros, or what is in a file. It is memory like that of `malloc`. Where memory safety is
   checked, nothing is proved and nothing is reported about executions that map memory or give it back: what parts are
   there, what they are for, and that `free` is not for them is not known. */

_Bool __mazurka_any_bool(void);
int __mazurka_checks_memory(void);
void __mazurka_assuming(const char *assumption);
void __mazurka_any_errno(void);
int *__errno_location(void);
void *malloc(unsigned long size);
void *calloc(unsigned long count, unsigned long size);
void free(void *memory);

enum { EINVAL = 22, ENOMEM = 12, FIXED = 0x10, ANONYMOUS = 0x20 };

static _Bool rights_of_mapping(void) {
    return __mazurka_any_bool();
}

static _Bool fails(void) {
    return __mazurka_any_bool();
}

/* Whichever part of memory safety is asked about, it may be violated by what is not worked out. */
static void give_up(void) {
    if (rights_of_mapping()) {
        char *nowhere = (char *)0;
        *nowhere = 0;
    }
    if (rights_of_mapping()) {
        char no_heap = 0;
        free(&no_heap);
    }
    if (rights_of_mapping()) {
        malloc(1);
    }
}

static void *map(unsigned long size, _Bool is_file) {
    if (__mazurka_checks_memory()) {
        give_up();
    }
    return is_file ? malloc(size) : calloc(1, size);
}

void *mmap(void *hint, unsigned long size, int rights, int flags, int file, long from) {
    (void)hint;
    (void)rights;
    (void)file;
    (void)from;
    __mazurka_assuming("memory that is mapped is nobody else's, is where the system likes, and can be read and written; mapping at a given address fails");
    if (size == 0 || (flags & FIXED)) {
        *__errno_location() = EINVAL;
        return (void *)-1;
    }
    _Bool is_file = !(flags & ANONYMOUS);
    if (is_file && fails()) {
        __mazurka_any_errno();
        return (void *)-1;
    }
    void *memory = map(size, is_file);
    if (!memory) {
        *__errno_location() = ENOMEM;
        return (void *)-1;
    }
    return memory;
}

void *mmap64(void *hint, unsigned long size, int rights, int flags, int file, long from) {
    return mmap(hint, size, rights, flags, file, from);
}

int munmap(void *memory, unsigned long size) {
    if (size == 0) {
        *__errno_location() = EINVAL;
        return -1;
    }
    /* The memory stays: a part of it may be in use. */
    (void)memory;
    if (__mazurka_checks_memory()) {
        give_up();
    }
    return 0;
}
