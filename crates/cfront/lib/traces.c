/* Which functions run: how many, and what they are called, comes from outside. */

int __mazurka_any_int(void);
_Bool __mazurka_any_bool(void);
void __mazurka_assume(int condition);
void *malloc(unsigned long size);

static char code;

int backtrace(void **to, int size) {
    int count = __mazurka_any_int();
    __mazurka_assume(count >= 0 && count <= (size > 0 ? size : 0));
    for (int at = 0; at < count; at++) {
        to[at] = &code;
    }
    return count;
}

/* One block of memory holds the addresses of the texts, and the texts. */
char **backtrace_symbols(void *const *from, int size) {
    unsigned long count = (unsigned long)size;
    char **texts = __mazurka_any_bool() ? malloc(count * (sizeof(char *) + 2)) : (char **)0;
    char *text = (char *)(texts + count);
    for (unsigned long at = 0; texts && at < count; at++) {
        void *address = from[at];
        (void)address;
        text[0] = 'x';
        text[1] = 0;
        texts[at] = text;
        text += 2;
    }
    return texts;
}

void backtrace_symbols_fd(void *const *from, int size, int file) {
    (void)file;
    for (int at = 0; at < size; at++) {
        void *address = from[at];
        (void)address;
    }
}
