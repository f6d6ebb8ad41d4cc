/* POSIX barriers of programs that destroy some: a thread that destroys one waits, as in glibc, until every thread
   that the barrier let go has left it. Then its memory can be used for something else. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_await(int condition);

enum { EINVAL = 22, MOST = 0x7fffffff, SERIAL_THREAD = -1 };

struct barrier {
    unsigned count;
    /* How many threads have arrived and not left yet. */
    unsigned inside;
    /* The round in the upper half, the number of threads in the lower one. */
    unsigned long long arrived;
};

int pthread_barrier_init(struct barrier *barrier, const int *attributes, unsigned count) {
    if (count == 0 || count > MOST) {
        return EINVAL;
    }
    if (attributes) {
        int shared = *attributes;
        (void)shared;
    }
    barrier->count = count;
    __mazurka_atomic_begin();
    barrier->inside = 0;
    barrier->arrived = 0;
    __mazurka_atomic_end();
    return 0;
}

int pthread_barrier_destroy(struct barrier *barrier) {
    unsigned count = barrier->count;
    (void)count;
    __mazurka_atomic_begin();
    unsigned inside = barrier->inside;
    __mazurka_await(inside == 0);
    __mazurka_atomic_end();
    return 0;
}

int pthread_barrier_wait(struct barrier *barrier) {
    unsigned count = barrier->count;
    __mazurka_atomic_begin();
    unsigned long long before = barrier->arrived;
    unsigned inside = barrier->inside;
    unsigned arrived = (unsigned)before + 1;
    unsigned round = before >> 32;
    barrier->arrived = arrived == count ? (unsigned long long)(round + 1) << 32 : before + 1;
    barrier->inside = arrived == count ? inside : inside + 1;
    __mazurka_atomic_end();
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
