/* POSIX barriers: how many threads, and a second word that changes in one step: which round it is, and how many have
   arrived in it. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_await(int condition);

enum { EINVAL = 22, MOST = 0x7fffffff, SERIAL_THREAD = -1 };

struct barrier {
    unsigned count;
    unsigned : 32;
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
    barrier->arrived = 0;
    __mazurka_atomic_end();
    return 0;
}

int pthread_barrier_wait(struct barrier *barrier) {
    unsigned count = barrier->count;
    __mazurka_atomic_begin();
    unsigned long long before = barrier->arrived;
    unsigned arrived = (unsigned)before + 1;
    unsigned round = before >> 32;
    barrier->arrived = arrived == count ? (unsigned long long)(round + 1) << 32 : before + 1;
    __mazurka_atomic_end();
    if (arrived == count) {
        return SERIAL_THREAD;
    }
    __mazurka_atomic_begin();
    unsigned long long now = barrier->arrived;
    __mazurka_await((unsigned)(now >> 32) != round);
    __mazurka_atomic_end();
    return 0;
}
