/* Attributes of threads, reader-writer locks, condition variables and barriers: what is set can be asked for,
   and what does not exist is refused, as glibc does. */

struct attributes {
    void *stack;
    unsigned long stack_size, guard_size;
    int detached, inherits, policy, priority;
};

_Bool __mazurka_any_bool(void);
unsigned long __mazurka_any_size(void);
void __mazurka_assume(int condition);

enum { EINVAL = 22, ENOTSUP = 95 };
enum { LEAST_STACK = 16384, ENOUGH_STACK = 262144, LAST_POLICY = 2, LAST_PRIORITY = 99 };

int pthread_attr_init(struct attributes *attributes) {
    attributes->stack = (void *)0;
    attributes->stack_size = 0;
    attributes->guard_size = 0;
    attributes->detached = 0;
    attributes->inherits = 0;
    attributes->policy = 0;
    attributes->priority = 0;
    return 0;
}

int pthread_attr_destroy(struct attributes *attributes) {
    void *stack = attributes->stack;
    (void)stack;
    return 0;
}

static int set_flag(int *flag, int value) {
    if (value != 0 && value != 1) {
        return EINVAL;
    }
    *flag = value;
    return 0;
}

int pthread_attr_setdetachstate(struct attributes *attributes, int state) {
    return set_flag(&attributes->detached, state);
}

int pthread_attr_getdetachstate(const struct attributes *attributes, int *state) {
    *state = attributes->detached;
    return 0;
}

int pthread_attr_setinheritsched(struct attributes *attributes, int inherits) {
    return set_flag(&attributes->inherits, inherits);
}

int pthread_attr_getinheritsched(const struct attributes *attributes, int *inherits) {
    *inherits = attributes->inherits;
    return 0;
}

int pthread_attr_setschedpolicy(struct attributes *attributes, int policy) {
    if (policy < 0 || policy > LAST_POLICY) {
        return EINVAL;
    }
    attributes->policy = policy;
    return 0;
}

int pthread_attr_getschedpolicy(const struct attributes *attributes, int *policy) {
    *policy = attributes->policy;
    return 0;
}

/* The usual policy has one priority, the others have many. */
int pthread_attr_setschedparam(struct attributes *attributes, const int *priority) {
    int wanted = *priority;
    int least = attributes->policy == 0 ? 0 : 1;
    int most = attributes->policy == 0 ? 0 : LAST_PRIORITY;
    if (wanted < least || wanted > most) {
        return EINVAL;
    }
    attributes->priority = wanted;
    return 0;
}

int pthread_attr_getschedparam(const struct attributes *attributes, int *priority) {
    *priority = attributes->priority;
    return 0;
}

int pthread_attr_setscope(struct attributes *attributes, int scope) {
    void *stack = attributes->stack;
    (void)stack;
    return scope == 0 ? 0 : scope == 1 ? ENOTSUP : EINVAL;
}

int pthread_attr_getscope(const struct attributes *attributes, int *scope) {
    void *stack = attributes->stack;
    (void)stack;
    *scope = 0;
    return 0;
}

/* One more than what was set, so that 0 means that nothing was. */
int pthread_attr_setguardsize(struct attributes *attributes, unsigned long size) {
    attributes->guard_size = size + 1;
    return 0;
}

int pthread_attr_getguardsize(const struct attributes *attributes, unsigned long *size) {
    unsigned long known = attributes->guard_size;
    *size = known > 0 ? known - 1 : __mazurka_any_size();
    return 0;
}

/* How much is enough depends on the processor. */
static int check_stack(unsigned long size) {
    return size < LEAST_STACK || (size < ENOUGH_STACK && __mazurka_any_bool()) ? EINVAL : 0;
}

int pthread_attr_setstacksize(struct attributes *attributes, unsigned long size) {
    int error = check_stack(size);
    if (error == 0) {
        attributes->stack_size = size;
    }
    return error;
}

int pthread_attr_getstacksize(const struct attributes *attributes, unsigned long *size) {
    unsigned long known = attributes->stack_size;
    if (known == 0) {
        known = __mazurka_any_size();
        __mazurka_assume(known >= LEAST_STACK);
    }
    *size = known;
    return 0;
}

int pthread_attr_setstack(struct attributes *attributes, void *stack, unsigned long size) {
    int error = check_stack(size);
    if (error == 0) {
        attributes->stack = stack;
        attributes->stack_size = size;
    }
    return error;
}

int pthread_attr_getstack(const struct attributes *attributes, void **stack, unsigned long *size) {
    *stack = attributes->stack;
    *size = attributes->stack_size;
    return 0;
}

int pthread_rwlockattr_init(int *attributes) {
    attributes[0] = 0;
    attributes[1] = 0;
    return 0;
}

int pthread_rwlockattr_destroy(int *attributes) {
    int first = *attributes;
    (void)first;
    return 0;
}

int pthread_rwlockattr_setpshared(int *attributes, int shared) {
    return set_flag(&attributes[1], shared);
}

int pthread_rwlockattr_getpshared(const int *attributes, int *shared) {
    *shared = attributes[1];
    return 0;
}

/* In the C library, only the last kind differs from the first one. */
int pthread_rwlockattr_setkind_np(int *attributes, int kind) {
    if (kind < 0 || kind > 2) {
        return EINVAL;
    }
    if (kind == 2) {
        __mazurka_assuming("nobody who wants to read has to wait because somebody waits to write, although the program asks for this");
    }
    attributes[0] = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const int *attributes, int *kind) {
    *kind = attributes[0];
    return 0;
}

int pthread_condattr_init(int *attributes) {
    *attributes = 0;
    return 0;
}

int pthread_condattr_destroy(int *attributes) {
    int first = *attributes;
    (void)first;
    return 0;
}

int pthread_condattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1) {
        return EINVAL;
    }
    *attributes = (*attributes & ~1) | shared;
    return 0;
}

int pthread_condattr_getpshared(const int *attributes, int *shared) {
    *shared = *attributes & 1;
    return 0;
}

int pthread_condattr_setclock(int *attributes, int clock) {
    if (clock != 0 && clock != 1) {
        return EINVAL;
    }
    *attributes = (*attributes & ~2) | clock << 1;
    return 0;
}

int pthread_condattr_getclock(const int *attributes, int *clock) {
    *clock = *attributes >> 1 & 1;
    return 0;
}

int pthread_barrierattr_init(int *attributes) {
    *attributes = 0;
    return 0;
}

int pthread_barrierattr_destroy(int *attributes) {
    int first = *attributes;
    (void)first;
    return 0;
}

int pthread_barrierattr_setpshared(int *attributes, int shared) {
    return set_flag(attributes, shared);
}

int pthread_barrierattr_getpshared(const int *attributes, int *shared) {
    *shared = *attributes;
    return 0;
}
