/* Mutexes of every kind. The first word holds the owner (0 when free), the second how often a
   recursive mutex is held beyond once; the kind is where glibc keeps it. */

void __mazurka_lock(void *mutex);
void __mazurka_unlock(void *mutex);
void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
_Bool __mazurka_atomic_end_or_give_up(void);
unsigned __mazurka_self(void);

enum { OWNER = 0, EXTRA = 1, KIND = sizeof(void *) == 8 ? 4 : 3 };
enum { NORMAL = 0, RECURSIVE = 1, ERRORCHECK = 2, KIND_BITS = 3 };
enum { EPERM = 1, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110 };

static unsigned kind_of(unsigned *mutex) {
    return __atomic_load_n(&mutex[KIND], 5) & KIND_BITS;
}

/* Only the running thread makes this true or false, so it does not change behind its back. */
static _Bool is_mine(unsigned *mutex) {
    return __atomic_load_n(&mutex[OWNER], 5) == __mazurka_self();
}

void __mazurka_mutex_set_kind(unsigned *mutex, unsigned kind) {
    __mazurka_atomic_begin();
    mutex[OWNER] = 0;
    mutex[EXTRA] = 0;
    mutex[KIND] = kind;
    __mazurka_atomic_end();
}

int pthread_mutex_init(unsigned *mutex, const unsigned *attributes) {
    unsigned kind = NORMAL;
    if (attributes) {
        kind = *attributes & KIND_BITS;
    }
    __mazurka_mutex_set_kind(mutex, kind);
    return 0;
}

int pthread_mutex_destroy(unsigned *mutex) {
    (void)mutex;
    return 0;
}

/* What a thread gets that holds the mutex already; -1 if it has to wait for it. */
static int lock_again(unsigned *mutex) {
    unsigned kind = kind_of(mutex);
    if (kind == RECURSIVE && is_mine(mutex)) {
        mutex[EXTRA]++;
        return 0;
    }
    if (kind == ERRORCHECK && is_mine(mutex)) {
        return EDEADLK;
    }
    return -1;
}

int pthread_mutex_lock(unsigned *mutex) {
    int again = lock_again(mutex);
    if (again >= 0) {
        return again;
    }
    __mazurka_lock(mutex);
    return 0;
}

int pthread_mutex_trylock(unsigned *mutex) {
    if (kind_of(mutex) == RECURSIVE && is_mine(mutex)) {
        mutex[EXTRA]++;
        return 0;
    }
    unsigned self = __mazurka_self();
    unsigned free = 0;
    if (__atomic_compare_exchange_n(&mutex[OWNER], &free, self, 0, 5, 5)) {
        return 0;
    }
    return EBUSY;
}

int pthread_mutex_timedlock(unsigned *mutex, const void *until) {
    (void)until;
    int again = lock_again(mutex);
    if (again >= 0) {
        return again;
    }
    __mazurka_atomic_begin();
    __mazurka_lock(mutex);
    _Bool done = __mazurka_atomic_end_or_give_up();
    return done ? 0 : ETIMEDOUT;
}

int pthread_mutex_unlock(unsigned *mutex) {
    unsigned kind = kind_of(mutex);
    if ((kind == RECURSIVE || kind == ERRORCHECK) && !is_mine(mutex)) {
        return EPERM;
    }
    if (kind == RECURSIVE && mutex[EXTRA] > 0) {
        mutex[EXTRA]--;
        return 0;
    }
    __mazurka_unlock(mutex);
    return 0;
}

int pthread_mutexattr_init(unsigned *attributes) {
    *attributes = NORMAL;
    return 0;
}

int pthread_mutexattr_settype(unsigned *attributes, int kind) {
    if (kind < NORMAL || kind > KIND_BITS) {
        return EINVAL;
    }
    *attributes = (unsigned)kind;
    return 0;
}

int pthread_mutexattr_gettype(const unsigned *attributes, int *kind) {
    *kind = (int)*attributes;
    return 0;
}
