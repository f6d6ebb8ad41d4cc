/* Mutexes of every kind. The first word holds the owner (0 when free), the second how often a recursive mutex is
   held beyond once, the third belongs to robust.c; the kind is where glibc keeps it. A
   mutex that was destroyed has no kind. */

struct moment { long seconds, nanoseconds; };

void __mazurka_lock(void *mutex);
void __mazurka_unlock(void *mutex);
void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
_Bool __mazurka_any_bool(void);
int __mazurka_cond_wait(void *cond, void *mutex);
int __mazurka_cond_timedwait(void *cond, void *mutex);
int __mazurka_wait_holding(void *cond);
int __mazurka_timedwait_holding(void *cond);
unsigned __mazurka_self(void);
int __mazurka_locked_robust(unsigned *mutex);
int __mazurka_tried_robust(unsigned *mutex);
void __mazurka_unlock_robust(unsigned *mutex);

enum { OWNER = 0, EXTRA = 1, STATE = 2, KIND = sizeof(void *) == 8 ? 4 : 3 };
enum { NORMAL = 0, RECURSIVE = 1, ERRORCHECK = 2, TYPE = 3, ROBUST = 16, DESTROYED = -1, ROBUST_ATTRIBUTE = 0x40000000 };
enum { EPERM = 1, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110 };
enum { SECOND = 1000000000, LAST_CLOCK = 1 };

static unsigned kind_of(unsigned *mutex) {
    return __atomic_load_n(&mutex[KIND], 5);
}

unsigned __mazurka_mutex_type(unsigned *mutex) {
    return kind_of(mutex) & TYPE;
}

/* Only the running thread makes this true or false, so it does not change behind its back. */
static _Bool is_mine(unsigned *mutex) {
    return __atomic_load_n(&mutex[OWNER], 5) == __mazurka_self();
}

/* An ordinary write: nothing protects a mutex that is being made. */
void __mazurka_mutex_set_kind(unsigned *mutex, unsigned kind) {
    mutex[OWNER] = 0;
    __mazurka_atomic_begin();
    mutex[EXTRA] = 0;
    mutex[STATE] = 0;
    mutex[KIND] = kind;
    __mazurka_atomic_end();
}

int pthread_mutex_init(unsigned *mutex, const unsigned *attributes) {
    unsigned kind = NORMAL;
    if (attributes) {
        unsigned wanted = *attributes;
        kind = (wanted & TYPE) | (wanted & ROBUST_ATTRIBUTE ? ROBUST : 0);
    }
    __mazurka_mutex_set_kind(mutex, kind);
    return 0;
}

int pthread_mutex_destroy(unsigned *mutex) {
    unsigned owner = __atomic_load_n(&mutex[OWNER], 5);
    if (owner != 0 && !(kind_of(mutex) & ROBUST)) {
        return EBUSY;
    }
    __atomic_store_n(&mutex[KIND], (unsigned)DESTROYED, 5);
    return 0;
}

/* What a thread gets that holds the mutex already; -1 if it has to wait for it. */
static int lock_again(unsigned *mutex, unsigned kind) {
    unsigned type = kind & TYPE;
    if (type == RECURSIVE && is_mine(mutex)) {
        mutex[EXTRA]++;
        return 0;
    }
    if (type == ERRORCHECK && is_mine(mutex)) {
        return EDEADLK;
    }
    return -1;
}

int pthread_mutex_lock(unsigned *mutex) {
    unsigned kind = kind_of(mutex);
    if (kind == (unsigned)DESTROYED) {
        return EINVAL;
    }
    int again = lock_again(mutex, kind);
    if (again >= 0) {
        return again;
    }
    __mazurka_lock(mutex);
    return kind & ROBUST ? __mazurka_locked_robust(mutex) : 0;
}

/* Takes the mutex if it is free. */
static _Bool take(unsigned *mutex) {
    unsigned self = __mazurka_self();
    unsigned free = 0;
    return __atomic_compare_exchange_n(&mutex[OWNER], &free, self, 0, 5, 5);
}

int pthread_mutex_trylock(unsigned *mutex) {
    unsigned kind = kind_of(mutex);
    if (kind == (unsigned)DESTROYED) {
        return EINVAL;
    }
    unsigned type = kind & TYPE;
    if (type == RECURSIVE && is_mine(mutex)) {
        mutex[EXTRA]++;
        return 0;
    }
    if (type == ERRORCHECK && kind & ROBUST && is_mine(mutex)) {
        return EDEADLK;
    }
    if (!take(mutex)) {
        return EBUSY;
    }
    return kind & ROBUST ? __mazurka_tried_robust(mutex) : 0;
}

static _Bool is_moment(const struct moment *until) {
    long nanoseconds = until->nanoseconds;
    return nanoseconds >= 0 && nanoseconds < SECOND;
}

/* A mutex that is free is taken; a thread that finds it taken waits for it, or times out sooner or later. That is a try,
   which may come at any moment. Whether the time is looked at before it matters is open. */
int pthread_mutex_timedlock(unsigned *mutex, const struct moment *until) {
    unsigned kind = kind_of(mutex);
    if (kind == (unsigned)DESTROYED) {
        return EINVAL;
    }
    int again = lock_again(mutex, kind);
    if (again >= 0) {
        return again;
    }
    if (!is_moment(until) && __mazurka_any_bool()) {
        return EINVAL;
    }
    if (!take(mutex)) {
        return is_moment(until) ? ETIMEDOUT : EINVAL;
    }
    return kind & ROBUST ? __mazurka_locked_robust(mutex) : 0;
}

int pthread_mutex_clocklock(unsigned *mutex, int clock, const struct moment *until) {
    return clock < 0 || clock > LAST_CLOCK ? EINVAL : pthread_mutex_timedlock(mutex, until);
}

int pthread_mutex_unlock(unsigned *mutex) {
    unsigned kind = kind_of(mutex);
    if (kind == (unsigned)DESTROYED) {
        return EINVAL;
    }
    unsigned type = kind & TYPE;
    if ((type == RECURSIVE || type == ERRORCHECK || kind & ROBUST) && !is_mine(mutex)) {
        return EPERM;
    }
    if (type == RECURSIVE && mutex[EXTRA] > 0) {
        mutex[EXTRA]--;
        return 0;
    }
    if (kind & ROBUST) {
        __mazurka_unlock_robust(mutex);
    }
    __mazurka_unlock(mutex);
    return 0;
}

/* Waiting unlocks once only: such a mutex stays locked. */
static _Bool is_held_twice(unsigned *mutex, unsigned kind) {
    return (kind & TYPE) == RECURSIVE && mutex[EXTRA] > 0;
}

/* May this thread wait with the mutex? */
static int before_wait(unsigned *mutex, unsigned kind) {
    if (kind == (unsigned)DESTROYED) {
        return EINVAL;
    }
    unsigned type = kind & TYPE;
    if ((type == RECURSIVE || type == ERRORCHECK || kind & ROBUST) && !is_mine(mutex)) {
        return EPERM;
    }
    if (kind & ROBUST && !is_held_twice(mutex, kind)) {
        __mazurka_unlock_robust(mutex);
    }
    return 0;
}

int pthread_cond_wait(void *cond, unsigned *mutex) {
    unsigned kind = kind_of(mutex);
    int error = before_wait(mutex, kind);
    if (error) {
        return error;
    }
    if (is_held_twice(mutex, kind)) {
        return __mazurka_wait_holding(cond);
    }
    __mazurka_cond_wait(cond, mutex);
    return kind & ROBUST ? __mazurka_locked_robust(mutex) : 0;
}

int pthread_cond_timedwait(void *cond, unsigned *mutex, const struct moment *until) {
    if (!is_moment(until)) {
        return EINVAL;
    }
    unsigned kind = kind_of(mutex);
    int error = before_wait(mutex, kind);
    if (error) {
        return error;
    }
    if (is_held_twice(mutex, kind)) {
        return __mazurka_timedwait_holding(cond);
    }
    int result = __mazurka_cond_timedwait(cond, mutex);
    int died = kind & ROBUST ? __mazurka_locked_robust(mutex) : 0;
    return died ? died : result;
}

int pthread_cond_clockwait(void *cond, unsigned *mutex, int clock, const struct moment *until) {
    return clock < 0 || clock > LAST_CLOCK ? EINVAL : pthread_cond_timedwait(cond, mutex, until);
}

int pthread_mutexattr_settype(unsigned *attributes, int type) {
    if (type < NORMAL || type > TYPE) {
        return EINVAL;
    }
    *attributes = (*attributes & ~(unsigned)TYPE) | (unsigned)type;
    return 0;
}
