/* Misuse of reader-writer locks. The lock knows who holds it for writing; each thread knows which locks it holds for
   reading, up to a number. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_misuse(_Bool happens, const char *what);
void __mazurka_beyond(_Bool happens);
unsigned __mazurka_self(void);

enum { DESTROYED = 0x5eaddead, READY = 0, MOST = 4 };

struct lock { unsigned owner, readers, status; };

static _Thread_local struct { struct lock *lock; unsigned times; } reading[MOST];

static void check_usable(unsigned status) {
    __mazurka_misuse(status == DESTROYED, "destroyed");
    __mazurka_misuse(status != READY, "uninitialised");
}

static unsigned owner_of(struct lock *lock) {
    __mazurka_atomic_begin();
    unsigned status = lock->status;
    unsigned owner = lock->owner;
    __mazurka_atomic_end();
    check_usable(status);
    return owner;
}

/* Where the thread keeps that it reads; MOST if it does not. */
static int place_of(struct lock *lock) {
    int at = 0;
    while (at < MOST && (reading[at].times == 0 || reading[at].lock != lock)) {
        at++;
    }
    return at;
}

static void remember(struct lock *lock) {
    int at = place_of(lock);
    if (at < MOST) {
        reading[at].times++;
        return;
    }
    at = 0;
    while (at < MOST && reading[at].times != 0) {
        at++;
    }
    __mazurka_beyond(at == MOST);
    reading[at].lock = lock;
    reading[at].times = 1;
}

void __mazurka_again_pthread_rwlock_init(struct lock *lock) {
    __mazurka_atomic_begin();
    unsigned status = lock->status;
    unsigned owner = lock->owner;
    unsigned readers = lock->readers;
    __mazurka_atomic_end();
    __mazurka_misuse(status == READY && (owner != 0 || readers != 0), "init-in-use");
}

void __mazurka_before_pthread_rwlock_init(struct lock *lock) {
    __atomic_store_n(&lock->status, READY, 5);
}

void __mazurka_before_pthread_rwlock_destroy(struct lock *lock) {
    __mazurka_atomic_begin();
    unsigned status = lock->status;
    unsigned owner = lock->owner;
    unsigned readers = lock->readers;
    lock->status = DESTROYED;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(owner != 0 || readers != 0, "destroy-held");
}

void __mazurka_before_pthread_rwlock_rdlock(struct lock *lock) {
    unsigned owner = owner_of(lock);
    __mazurka_misuse(owner == __mazurka_self(), "relock");
}

void __mazurka_after_pthread_rwlock_rdlock(int result, struct lock *lock) {
    if (result == 0) {
        remember(lock);
    }
}

void __mazurka_before_pthread_rwlock_wrlock(struct lock *lock) {
    _Bool reads = place_of(lock) < MOST;
    unsigned owner = owner_of(lock);
    __mazurka_misuse(reads || owner == __mazurka_self(), "relock");
}

void __mazurka_before_pthread_rwlock_unlock(struct lock *lock) {
    int at = place_of(lock);
    if (at < MOST) {
        reading[at].times--;
    }
    unsigned owner = owner_of(lock);
    __mazurka_misuse(at == MOST && owner != __mazurka_self(), "unlock-not-held");
}

void __mazurka_before_pthread_rwlock_tryrdlock(struct lock *lock) {
    owner_of(lock);
}

void __mazurka_after_pthread_rwlock_tryrdlock(int result, struct lock *lock) {
    __mazurka_after_pthread_rwlock_rdlock(result, lock);
}

void __mazurka_before_pthread_rwlock_timedrdlock(struct lock *lock) {
    owner_of(lock);
}

void __mazurka_after_pthread_rwlock_timedrdlock(int result, struct lock *lock) {
    __mazurka_after_pthread_rwlock_rdlock(result, lock);
}

void __mazurka_before_pthread_rwlock_clockrdlock(struct lock *lock) {
    owner_of(lock);
}

void __mazurka_after_pthread_rwlock_clockrdlock(int result, struct lock *lock) {
    __mazurka_after_pthread_rwlock_rdlock(result, lock);
}

void __mazurka_before_pthread_rwlock_trywrlock(struct lock *lock) {
    owner_of(lock);
}

void __mazurka_before_pthread_rwlock_timedwrlock(struct lock *lock) {
    owner_of(lock);
}

void __mazurka_before_pthread_rwlock_clockwrlock(struct lock *lock) {
    owner_of(lock);
}
