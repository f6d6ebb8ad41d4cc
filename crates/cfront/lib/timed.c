/* Waiting until a time. How long anything takes is not known: a thread that finds a lock taken waits for it, or times out
   sooner or later. A lock that is free is taken: that is a try, which may come at any moment. Whether the time is
   looked at before it matters is open. */

struct moment { long seconds, nanoseconds; };

int pthread_mutex_trylock(void *mutex);
int pthread_rwlock_tryrdlock(void *lock);
int pthread_rwlock_trywrlock(void *lock);
int __mazurka_cond_timedwait(void *cond, void *mutex);
unsigned __mazurka_self(void);
_Bool __mazurka_any_bool(void);

enum { EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110, SECOND = 1000000000, LAST_CLOCK = 1 };
enum { C11_ERROR = 2, C11_TIMED_OUT = 4 };

static _Bool is_moment(const struct moment *until) {
    long nanoseconds = until->nanoseconds;
    return nanoseconds >= 0 && nanoseconds < SECOND;
}

/* Is a time refused that is none, although no thread has to wait? */
static _Bool refuses(const struct moment *until) {
    return !is_moment(until) && __mazurka_any_bool();
}

/* Why a wait ended too early. */
static int too_late(const struct moment *until) {
    return is_moment(until) ? ETIMEDOUT : EINVAL;
}

int pthread_mutex_timedlock(void *mutex, const struct moment *until) {
    if (refuses(until)) {
        return EINVAL;
    }
    int result = pthread_mutex_trylock(mutex);
    return result == EBUSY ? too_late(until) : result;
}

int pthread_mutex_clocklock(void *mutex, int clock, const struct moment *until) {
    return clock < 0 || clock > LAST_CLOCK ? EINVAL : pthread_mutex_timedlock(mutex, until);
}

/* Why a thread does not get a reader-writer lock: if it holds the lock for writing, it may be told so. */
static int not_locked(unsigned *lock, const struct moment *until) {
    _Bool is_mine = __atomic_load_n(&lock[0], 5) == __mazurka_self();
    return is_mine && __mazurka_any_bool() ? EDEADLK : too_late(until);
}

int pthread_rwlock_timedrdlock(void *lock, const struct moment *until) {
    if (refuses(until)) {
        return EINVAL;
    }
    return pthread_rwlock_tryrdlock(lock) == 0 ? 0 : not_locked(lock, until);
}

int pthread_rwlock_clockrdlock(void *lock, int clock, const struct moment *until) {
    return clock < 0 || clock > LAST_CLOCK ? EINVAL : pthread_rwlock_timedrdlock(lock, until);
}

int pthread_rwlock_timedwrlock(void *lock, const struct moment *until) {
    if (refuses(until)) {
        return EINVAL;
    }
    return pthread_rwlock_trywrlock(lock) == 0 ? 0 : not_locked(lock, until);
}

int pthread_rwlock_clockwrlock(void *lock, int clock, const struct moment *until) {
    return clock < 0 || clock > LAST_CLOCK ? EINVAL : pthread_rwlock_timedwrlock(lock, until);
}

int pthread_cond_timedwait(void *cond, void *mutex, const struct moment *until) {
    return is_moment(until) ? __mazurka_cond_timedwait(cond, mutex) : EINVAL;
}

int pthread_cond_clockwait(void *cond, void *mutex, int clock, const struct moment *until) {
    return clock < 0 || clock > LAST_CLOCK ? EINVAL : pthread_cond_timedwait(cond, mutex, until);
}

int cnd_timedwait(void *cond, void *mutex, const struct moment *until) {
    int result = pthread_cond_timedwait(cond, mutex, until);
    return result == 0 ? 0 : result == ETIMEDOUT ? C11_TIMED_OUT : C11_ERROR;
}
