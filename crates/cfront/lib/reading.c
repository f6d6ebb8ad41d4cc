/* What functions do that only read: they print, send, or ask the system about names. */

void __mazurka_read_text(const char *text) {
    while (*text) {
        text++;
    }
}

void __mazurka_read_text_or_null(const char *text) {
    if (text) {
        __mazurka_read_text(text);
    }
}

/* A negative number, which is a large one here, means that the string has to end. */
void __mazurka_read_text_up_to(const char *text, unsigned long most) {
    for (unsigned long at = 0; at < most && text[at]; at++) {
    }
}

void __mazurka_read_bytes(const char *from, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        char byte = from[at];
        (void)byte;
    }
}

/* Writes bytes whose values do not matter. */
void __mazurka_write_bytes(char *to, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        to[at] = 'x';
    }
}

/* Memory of the library that a function writes although nothing protects it, by number. */
void __mazurka_write_static(int which) {
    static char memory[8];
    memory[which] = 0;
}

/* The environment: those who change it exclude each other, but not those who look at it. */
static char environment;

void __mazurka_read_environment(void) {
    char now = environment;
    (void)now;
}

void __mazurka_change_environment(void) {
    __atomic_store_n(&environment, 0, 5);
}
