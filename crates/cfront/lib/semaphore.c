/* POSIX semaphores. The first word of a sem_t is its value; every operation is one step. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_await(int condition);
_Bool __mazurka_atomic_end_or_give_up(void);
int *__errno_location(void);

enum { EAGAIN = 11, ETIMEDOUT = 110 };

int sem_init(unsigned *sem, int shared, unsigned value) {
    (void)shared;
    __mazurka_atomic_begin();
    *sem = value;
    __mazurka_atomic_end();
    return 0;
}

int sem_destroy(unsigned *sem) {
    (void)sem;
    return 0;
}

int sem_wait(unsigned *sem) {
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

/* A wait may time out whenever it likes: how long anything takes is not known. */
int sem_timedwait(unsigned *sem, const void *until) {
    (void)until;
    __mazurka_atomic_begin();
    unsigned value = *sem;
    __mazurka_await(value > 0);
    *sem = value - 1;
    _Bool done = __mazurka_atomic_end_or_give_up();
    if (done) {
        return 0;
    }
    *__errno_location() = ETIMEDOUT;
    return -1;
}

int sem_clockwait(unsigned *sem, int clock, const void *until) {
    (void)clock;
    return sem_timedwait(sem, until);
}

int sem_post(unsigned *sem) {
    __mazurka_atomic_begin();
    unsigned value = *sem;
    *sem = value + 1;
    __mazurka_atomic_end();
    return 0;
}

int sem_getvalue(unsigned *sem, int *result) {
    __mazurka_atomic_begin();
    unsigned value = *sem;
    __mazurka_atomic_end();
    *result = (int)value;
    return 0;
}
