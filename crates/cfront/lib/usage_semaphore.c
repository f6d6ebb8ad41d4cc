/* Semaphores whose misuse is asked about: as in semaphore.c, and each knows whether it was initialised (zeros are not
   enough) and how many threads are about to take one. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_await(int condition);
int __mazurka_cancels(void);
int __mazurka_is_cancelled(void);
void __mazurka_end_cancelled(void);
void __mazurka_misuse(_Bool happens, const char *what);
_Bool __mazurka_any_bool(void);
int *__errno_location(void);

struct moment { long seconds, nanoseconds; };

struct semaphore { unsigned value, status, waiting; };

enum { READY = 0x5e3a9b0e, DESTROYED = 0x5eaddead, EAGAIN = 11, EINVAL = 22, ETIMEDOUT = 110, MOST = 0x7fffffff, SECOND = 1000000000 };

static void check_usable(unsigned status) {
    __mazurka_misuse(status == DESTROYED, "destroyed");
    __mazurka_misuse(status != READY, "uninitialised");
}

void __mazurka_again_sem_init(struct semaphore *sem) {
    __mazurka_atomic_begin();
    unsigned status = sem->status;
    unsigned value = sem->value;
    unsigned waiting = sem->waiting;
    __mazurka_atomic_end();
    __mazurka_misuse(status == READY && waiting > value, "init-in-use");
}

int sem_init(struct semaphore *sem, int shared, unsigned value) {
    (void)shared;
    if (value > MOST) {
        *__errno_location() = EINVAL;
        return -1;
    }
    __mazurka_atomic_begin();
    sem->value = value;
    sem->status = READY;
    sem->waiting = 0;
    __mazurka_atomic_end();
    return 0;
}

int sem_destroy(struct semaphore *sem) {
    __mazurka_atomic_begin();
    unsigned status = sem->status;
    unsigned value = sem->value;
    unsigned waiting = sem->waiting;
    sem->status = DESTROYED;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(waiting > value, "destroy-awaited");
    return 0;
}

static void enter(struct semaphore *sem) {
    __mazurka_atomic_begin();
    unsigned status = sem->status;
    unsigned waiting = sem->waiting;
    sem->waiting = waiting + 1;
    __mazurka_atomic_end();
    check_usable(status);
}

/* As in semaphore.c. */
static void wait_unless_cancelled(struct semaphore *sem) {
    _Bool prefers = __mazurka_any_bool();
    __mazurka_atomic_begin();
    unsigned value = sem->value;
    int cancelled = __mazurka_is_cancelled() & (value == 0 | prefers);
    __mazurka_await(value > 0 | cancelled);
    sem->value = cancelled ? value : value - 1;
    unsigned waiting = sem->waiting;
    sem->waiting = waiting - 1;
    __mazurka_atomic_end();
    if (cancelled) {
        __mazurka_end_cancelled();
    }
}

int sem_wait(struct semaphore *sem) {
    enter(sem);
    if (__mazurka_cancels()) {
        wait_unless_cancelled(sem);
        return 0;
    }
    __mazurka_atomic_begin();
    unsigned value = sem->value;
    __mazurka_await(value > 0);
    sem->value = value - 1;
    unsigned waiting = sem->waiting;
    sem->waiting = waiting - 1;
    __mazurka_atomic_end();
    return 0;
}

int sem_trywait(struct semaphore *sem) {
    __mazurka_atomic_begin();
    unsigned status = sem->status;
    unsigned value = sem->value;
    sem->value = value > 0 ? value - 1 : value;
    __mazurka_atomic_end();
    check_usable(status);
    if (value > 0) {
        return 0;
    }
    *__errno_location() = EAGAIN;
    return -1;
}

/* A try, as in semaphore.c, of a thread that waits until it comes. */
int sem_timedwait(struct semaphore *sem, const struct moment *until) {
    long nanoseconds = until->nanoseconds;
    _Bool is_moment = nanoseconds >= 0 && nanoseconds < SECOND;
    if (!is_moment && __mazurka_any_bool()) {
        *__errno_location() = EINVAL;
        return -1;
    }
    enter(sem);
    __mazurka_atomic_begin();
    unsigned value = sem->value;
    sem->value = value > 0 ? value - 1 : value;
    unsigned waiting = sem->waiting;
    sem->waiting = waiting - 1;
    __mazurka_atomic_end();
    if (value > 0) {
        return 0;
    }
    *__errno_location() = is_moment ? ETIMEDOUT : EINVAL;
    return -1;
}

int sem_post(struct semaphore *sem) {
    __mazurka_atomic_begin();
    unsigned status = sem->status;
    unsigned value = sem->value;
    sem->value = value < MOST ? value + 1 : value;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(value >= MOST, "semaphore-overflow");
    return 0;
}

int sem_getvalue(struct semaphore *sem, int *result) {
    __mazurka_atomic_begin();
    unsigned status = sem->status;
    unsigned value = sem->value;
    __mazurka_atomic_end();
    check_usable(status);
    *result = (int)value;
    return 0;
}
