/* Names of threads: at most 15 characters. What a name is, is not kept. */

char __mazurka_any_char(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);

_Bool __mazurka_any_bool(void);
int *__errno_location(void);

enum { ROOM = 16, EINVAL = 22, ERANGE = 34 };

/* Requests to `prctl`. */
enum { END_WITH_PARENT = 1, DUMPABLE = 4, SET_NAME = 15, GET_NAME = 16, NO_NEW_RIGHTS = 38 };

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

/* Sets the name of the calling thread, or asks for it. Other requests that only set something may fail; those that
   write to memory are not known, as on a system without them. */
int prctl(int what, ...) {
    if (what == SET_NAME || what == GET_NAME) {
        __builtin_va_list list;
        __builtin_va_start(list, what);
        char *name = __builtin_va_arg(list, char *);
        __builtin_va_end(list);
        if (what == GET_NAME) {
            pthread_getname_np(0, name, ROOM);
        }
        for (int at = 0; what == SET_NAME && at < ROOM - 1 && name[at]; at++) {
        }
        return 0;
    }
    _Bool sets = what == END_WITH_PARENT || what == DUMPABLE || what == NO_NEW_RIGHTS;
    if (sets && __mazurka_any_bool()) {
        return 0;
    }
    *__errno_location() = EINVAL;
    return -1;
}
