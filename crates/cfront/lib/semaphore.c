/* POSIX semaphores. The first word of a sem_t is its value; every operation is one step, and
   atomic; making one is not. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_await(int condition);
int __mazurka_cancels(void);
int __mazurka_is_cancelled(void);
void __mazurka_end_cancelled(void);
_Bool __mazurka_any_bool(void);
int *__errno_location(void);

struct moment { long seconds, nanoseconds; };

enum { EAGAIN = 11, EINVAL = 22, EOVERFLOW = 75, ETIMEDOUT = 110, MOST = 0x7fffffff, SECOND = 1000000000, LAST_CLOCK = 1 };

int sem_init(unsigned *sem, int shared, unsigned value) {
    (void)shared;
    if (value > MOST) {
        *__errno_location() = EINVAL;
        return -1;
    }
    *sem = value;
    return 0;
}

int sem_destroy(unsigned *sem) {
    unsigned value = __atomic_load_n(sem, 5);
    (void)value;
    return 0;
}

/* A thread that is cancelled while it waits has taken nothing. One that could take the semaphore may be cancelled or not. */
static void wait_unless_cancelled(unsigned *sem) {
    _Bool prefers = __mazurka_any_bool();
    __mazurka_atomic_begin();
    unsigned value = *sem;
    int cancelled = __mazurka_is_cancelled() & (value == 0 | prefers);
    __mazurka_await(value > 0 | cancelled);
    *sem = cancelled ? value : value - 1;
    __mazurka_atomic_end();
    if (cancelled) {
        __mazurka_end_cancelled();
    }
}

int sem_wait(unsigned *sem) {
    if (__mazurka_cancels()) {
        wait_unless_cancelled(sem);
        return 0;
    }
    __mazurka_atomic_begin();
    unsigned value = *sem;
    __mazurka_await(value > 0);
    *sem = value - 1;
    __mazurka_atomic_end();
    return 0;
}

int sem_trywait(unsigned *sem) {
    __mazurka_atomic_begin();
    unsigned value = *sem;
    *sem = value > 0 ? value - 1 : value;
    __mazurka_atomic_end();
    if (value > 0) {
        return 0;
    }
    *__errno_location() = EAGAIN;
    return -1;
}

/* A semaphore above zero is taken; a thread that finds it at zero waits, or times out sooner or later. That is a try,
   which may come at any moment. Whether the time is looked at before it matters is open. */
int sem_timedwait(unsigned *sem, const struct moment *until) {
    long nanoseconds = until->nanoseconds;
    _Bool is_moment = nanoseconds >= 0 && nanoseconds < SECOND;
    if (!is_moment && __mazurka_any_bool()) {
        *__errno_location() = EINVAL;
        return -1;
    }
    int result = sem_trywait(sem);
    if (result != 0) {
        *__errno_location() = is_moment ? ETIMEDOUT : EINVAL;
    }
    return result;
}

int sem_clockwait(unsigned *sem, int clock, const struct moment *until) {
    if (clock < 0 || clock > LAST_CLOCK) {
        *__errno_location() = EINVAL;
        return -1;
    }
    return sem_timedwait(sem, until);
}

int sem_post(unsigned *sem) {
    __mazurka_atomic_begin();
    unsigned value = *sem;
    *sem = value < MOST ? value + 1 : value;
    __mazurka_atomic_end();
    if (value >= MOST) {
        *__errno_location() = EOVERFLOW;
        return -1;
    }
    return 0;
}

int sem_getvalue(unsigned *sem, int *result) {
    __mazurka_atomic_begin();
    unsigned value = *sem;
    __mazurka_atomic_end();
    *result = (int)value;
    return 0;
}
