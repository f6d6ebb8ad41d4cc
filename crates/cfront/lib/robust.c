/* Robust mutexes: a thread that locks one after its holder has ended gets EOWNERDEAD. Without this file no mutex is
   robust, and what mutex.c calls here does nothing. */

void __mazurka_unlock(void *mutex);
_Bool __mazurka_any_bool(void);

enum { OWNER = 0, EXTRA = 1, STATE = 2, KIND = sizeof(void *) == 8 ? 4 : 3, ROBUST = 16, ROBUST_ATTRIBUTE = 0x40000000 };
enum { FINE = 0, OWNER_DIED = 1, LOST = 2 };
enum { EINVAL = 22, EOWNERDEAD = 130, ENOTRECOVERABLE = 131 };

/* The robust mutexes that this thread holds, linked as in glibc. */
static _Thread_local unsigned *held;

static unsigned **next_of(unsigned *mutex) {
    return (unsigned **)((char *)mutex + (sizeof(void *) == 8 ? 32 : 20));
}

/* A robust mutex that this thread has just locked: was it left behind by a thread that ended? */
int __mazurka_locked_robust(unsigned *mutex) {
    if (mutex[STATE] == LOST) {
        __mazurka_unlock(mutex);
        return ENOTRECOVERABLE;
    }
    *next_of(mutex) = held;
    held = mutex;
    return mutex[STATE] == OWNER_DIED ? EOWNERDEAD : 0;
}

/* The same for one that this thread has only tried: glibc leaves it locked if no thread can repair it. */
int __mazurka_tried_robust(unsigned *mutex) {
    if (mutex[STATE] == LOST && __mazurka_any_bool()) {
        return ENOTRECOVERABLE;
    }
    return __mazurka_locked_robust(mutex);
}

/* Before a robust mutex is unlocked; if no thread has repaired it, none will. */
void __mazurka_unlock_robust(unsigned *mutex) {
    if (held == mutex) {
        held = *next_of(mutex);
    } else {
        unsigned *before = held;
        while (*next_of(before) != mutex) {
            before = *next_of(before);
        }
        *next_of(before) = *next_of(mutex);
    }
    if (mutex[STATE] == OWNER_DIED) {
        mutex[STATE] = LOST;
    }
}

/* At the end of a thread. */
void __mazurka_leave_robust(void) {
    while (held) {
        unsigned *mutex = held;
        held = *next_of(mutex);
        mutex[EXTRA] = 0;
        mutex[STATE] = OWNER_DIED;
        __mazurka_unlock(mutex);
    }
}

int pthread_mutex_consistent(unsigned *mutex) {
    _Bool is_free = __atomic_load_n(&mutex[OWNER], 5) == 0;
    if (!(__atomic_load_n(&mutex[KIND], 5) & ROBUST) || is_free || mutex[STATE] != OWNER_DIED) {
        return EINVAL;
    }
    mutex[STATE] = FINE;
    return 0;
}

int pthread_mutex_consistent_np(unsigned *mutex) {
    return pthread_mutex_consistent(mutex);
}

int pthread_mutexattr_setrobust(unsigned *attributes, int robust) {
    if (robust != 0 && robust != 1) {
        return EINVAL;
    }
    unsigned others = *attributes & ~(unsigned)ROBUST_ATTRIBUTE;
    *attributes = robust ? others | ROBUST_ATTRIBUTE : others;
    return 0;
}

int pthread_mutexattr_setrobust_np(unsigned *attributes, int robust) {
    return pthread_mutexattr_setrobust(attributes, robust);
}
