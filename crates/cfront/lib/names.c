/* Names of threads: at most 15 characters. What a name is, is not kept. */

char __mazurka_any_char(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);

enum { ROOM = 16, ERANGE = 34 };

int pthread_setname_np(unsigned long thread, const char *name) {
    (void)thread;
    for (int at = 0; at < ROOM; at++) {
        if (name[at] == 0) {
            return 0;
        }
    }
    return ERANGE;
}

int pthread_getname_np(unsigned long thread, char *to, unsigned long size) {
    (void)thread;
    if (size < ROOM) {
        return ERANGE;
    }
    int length = __mazurka_any_int();
    __mazurka_assume(length >= 0 && length < ROOM);
    for (int at = 0; at < length; at++) {
        char c = __mazurka_any_char();
        __mazurka_assume(c != 0);
        to[at] = c;
    }
    to[length] = 0;
    return 0;
}
