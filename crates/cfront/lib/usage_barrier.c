/* Barriers whose misuse is asked about: as in destroyed_barrier.c, and each knows whether it was initialised (zeros are
   not enough). */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_await(int condition);
void __mazurka_misuse(_Bool happens, const char *what);

enum { READY = 0x5e3a9b0e, DESTROYED = 0x5eaddead, EINVAL = 22, MOST = 0x7fffffff, SERIAL_THREAD = -1 };

struct barrier {
    unsigned count;
    /* How many threads have arrived and not left yet. */
    unsigned inside;
    /* The round in the upper half, the number of threads in the lower one. */
    unsigned long long arrived;
    unsigned status;
};

static void check_usable(unsigned status) {
    __mazurka_misuse(status == DESTROYED, "destroyed");
    __mazurka_misuse(status != READY, "uninitialised");
}

void __mazurka_again_pthread_barrier_init(struct barrier *barrier) {
    __mazurka_atomic_begin();
    unsigned status = barrier->status;
    unsigned arrived = (unsigned)barrier->arrived;
    __mazurka_atomic_end();
    __mazurka_misuse(status == READY && arrived != 0, "init-in-use");
}

int pthread_barrier_init(struct barrier *barrier, const int *attributes, unsigned count) {
    (void)attributes;
    __mazurka_misuse(count == 0, "barrier-of-none");
    if (count > MOST) {
        return EINVAL;
    }
    __mazurka_atomic_begin();
    barrier->count = count;
    barrier->inside = 0;
    barrier->arrived = 0;
    barrier->status = READY;
    __mazurka_atomic_end();
    return 0;
}

int pthread_barrier_destroy(struct barrier *barrier) {
    __mazurka_atomic_begin();
    unsigned status = barrier->status;
    unsigned arrived = (unsigned)barrier->arrived;
    barrier->status = DESTROYED;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(arrived != 0, "destroy-awaited");
    __mazurka_atomic_begin();
    unsigned inside = barrier->inside;
    __mazurka_await(inside == 0);
    __mazurka_atomic_end();
    return 0;
}

int pthread_barrier_wait(struct barrier *barrier) {
    __mazurka_atomic_begin();
    unsigned status = barrier->status;
    unsigned count = barrier->count;
    unsigned long long before = barrier->arrived;
    unsigned inside = barrier->inside;
    unsigned arrived = (unsigned)before + 1;
    unsigned round = before >> 32;
    barrier->arrived = arrived == count ? (unsigned long long)(round + 1) << 32 : before + 1;
    barrier->inside = arrived == count ? inside : inside + 1;
    __mazurka_atomic_end();
    check_usable(status);
    if (arrived == count) {
        return SERIAL_THREAD;
    }
    __mazurka_atomic_begin();
    unsigned long long now = barrier->arrived;
    __mazurka_await((unsigned)(now >> 32) != round);
    unsigned before_leaving = barrier->inside;
    barrier->inside = before_leaving - 1;
    __mazurka_atomic_end();
    return 0;
}
