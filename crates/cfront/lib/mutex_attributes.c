/* Attributes of mutexes in one word, with the bits that glibc gives them. The two that change what a mutex does
   are set in mutex.c. */

enum { SHARED = (int)0x80000000, ROBUST = 0x40000000, TYPE = 3 };
enum { PROTOCOL_SHIFT = 28, PROTOCOL = 3, CEILING_SHIFT = 12, CEILING = 0xfff, LAST_PRIORITY = 99, LAST_PROTOCOL = 1 };
enum { EINVAL = 22, ENOTSUP = 95 };

void __mazurka_assuming(const char *assumption);

int pthread_mutexattr_init(int *attributes) {
    *attributes = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *attributes) {
    int first = *attributes;
    (void)first;
    return 0;
}

int pthread_mutexattr_gettype(const int *attributes, int *type) {
    *type = *attributes & TYPE;
    return 0;
}

int pthread_mutexattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1) {
        return EINVAL;
    }
    int others = *attributes & ~SHARED;
    *attributes = shared ? others | SHARED : others;
    return 0;
}

int pthread_mutexattr_getpshared(const int *attributes, int *shared) {
    *shared = (*attributes & SHARED) != 0;
    return 0;
}

/* Which threads come first makes no difference: any may come first. A ceiling is not supported, which is allowed. */
int pthread_mutexattr_setprotocol(int *attributes, int protocol) {
    __mazurka_assuming("mutexes with a protocol are like others: priorities play no part");
    if (protocol < 0 || protocol > LAST_PROTOCOL) {
        return protocol == LAST_PROTOCOL + 1 ? ENOTSUP : EINVAL;
    }
    *attributes = (*attributes & ~(PROTOCOL << PROTOCOL_SHIFT)) | protocol << PROTOCOL_SHIFT;
    return 0;
}

int pthread_mutexattr_getprotocol(const int *attributes, int *protocol) {
    *protocol = *attributes >> PROTOCOL_SHIFT & PROTOCOL;
    return 0;
}

int pthread_mutexattr_setprioceiling(int *attributes, int ceiling) {
    if (ceiling < 1 || ceiling > LAST_PRIORITY) {
        return EINVAL;
    }
    *attributes = (*attributes & ~(CEILING << CEILING_SHIFT)) | ceiling << CEILING_SHIFT;
    return 0;
}

/* The least priority, if none was set. */
int pthread_mutexattr_getprioceiling(const int *attributes, int *ceiling) {
    int known = *attributes >> CEILING_SHIFT & CEILING;
    *ceiling = known == 0 ? 1 : known;
    return 0;
}

int pthread_mutexattr_getrobust(const int *attributes, int *robust) {
    *robust = (*attributes & ROBUST) != 0;
    return 0;
}

int pthread_mutexattr_getrobust_np(int *attributes, int *robust) {
    return pthread_mutexattr_getrobust(attributes, robust);
}
