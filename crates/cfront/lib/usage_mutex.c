/* Misuse of mutexes. A word that the models do not use tells whether a mutex can be used: it is 0 as long as that is so,
   as in memory that holds zeros, and anything in memory that nobody has initialised. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_misuse(_Bool happens, const char *what);
unsigned __mazurka_self(void);
unsigned __mazurka_mutex_type(unsigned *mutex);

enum { DESTROYED = 0x5eaddead, OWNER = 0, STATUS = sizeof(void *) == 8 ? 5 : 4, READY = 0, RECURSIVE = 1, ERRORCHECK = 2 };

static void check_usable(unsigned status) {
    __mazurka_misuse(status == DESTROYED, "destroyed");
    __mazurka_misuse(status != READY, "uninitialised");
}

static unsigned owner_of(unsigned *mutex) {
    __mazurka_atomic_begin();
    unsigned status = mutex[STATUS];
    unsigned owner = mutex[OWNER];
    __mazurka_atomic_end();
    check_usable(status);
    return owner;
}

/* Error-checking mutexes exist to tell of such calls. */
static _Bool tells(unsigned *mutex) {
    return __mazurka_mutex_type(mutex) == ERRORCHECK;
}

void __mazurka_again_pthread_mutex_init(unsigned *mutex) {
    __mazurka_atomic_begin();
    unsigned status = mutex[STATUS];
    unsigned owner = mutex[OWNER];
    __mazurka_atomic_end();
    __mazurka_misuse(status == READY && owner != 0, "init-in-use");
}

void __mazurka_before_pthread_mutex_init(unsigned *mutex) {
    __atomic_store_n(&mutex[STATUS], READY, 5);
}

void __mazurka_before_pthread_mutex_destroy(unsigned *mutex) {
    __mazurka_atomic_begin();
    unsigned status = mutex[STATUS];
    unsigned owner = mutex[OWNER];
    mutex[STATUS] = DESTROYED;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(owner != 0, "destroy-held");
}

void __mazurka_before_pthread_mutex_lock(unsigned *mutex) {
    if (owner_of(mutex) == __mazurka_self()) {
        unsigned type = __mazurka_mutex_type(mutex);
        __mazurka_misuse(type != RECURSIVE && type != ERRORCHECK, "relock");
    }
}

void __mazurka_before_pthread_mutex_trylock(unsigned *mutex) {
    owner_of(mutex);
}

void __mazurka_before_pthread_mutex_timedlock(unsigned *mutex) {
    owner_of(mutex);
}

void __mazurka_before_pthread_mutex_clocklock(unsigned *mutex) {
    owner_of(mutex);
}

void __mazurka_before_pthread_mutex_unlock(unsigned *mutex) {
    if (owner_of(mutex) != __mazurka_self()) {
        __mazurka_misuse(!tells(mutex), "unlock-not-held");
    }
}

/* Of a mutex with which a thread is about to wait. */
void __mazurka_check_waiting_mutex(unsigned *mutex) {
    if (owner_of(mutex) != __mazurka_self()) {
        __mazurka_misuse(!tells(mutex), "wait-not-held");
    }
}

void __mazurka_again_mtx_init(unsigned *mutex) {
    __mazurka_again_pthread_mutex_init(mutex);
}

void __mazurka_before_mtx_init(unsigned *mutex) {
    __mazurka_before_pthread_mutex_init(mutex);
}

void __mazurka_before_mtx_destroy(unsigned *mutex) {
    __mazurka_before_pthread_mutex_destroy(mutex);
}

void __mazurka_before_mtx_lock(unsigned *mutex) {
    __mazurka_before_pthread_mutex_lock(mutex);
}

void __mazurka_before_mtx_trylock(unsigned *mutex) {
    owner_of(mutex);
}

void __mazurka_before_mtx_timedlock(unsigned *mutex) {
    owner_of(mutex);
}

void __mazurka_before_mtx_unlock(unsigned *mutex) {
    __mazurka_before_pthread_mutex_unlock(mutex);
}
