/* POSIX barriers in three words: how many threads, how many have arrived, which round it is. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_await(int condition);

enum { COUNT, ARRIVED, ROUND };
enum { EINVAL = 22, MOST = 0x7fffffff, SERIAL_THREAD = -1 };

int pthread_barrier_init(unsigned *barrier, const int *attributes, unsigned count) {
    if (count == 0 || count > MOST) {
        return EINVAL;
    }
    if (attributes) {
        int shared = *attributes;
        (void)shared;
    }
    barrier[COUNT] = count;
    __mazurka_atomic_begin();
    barrier[ARRIVED] = 0;
    barrier[ROUND] = 0;
    __mazurka_atomic_end();
    return 0;
}

int pthread_barrier_destroy(unsigned *barrier) {
    unsigned count = barrier[COUNT];
    (void)count;
    return 0;
}

int pthread_barrier_wait(unsigned *barrier) {
    __mazurka_atomic_begin();
    unsigned count = barrier[COUNT];
    unsigned arrived = barrier[ARRIVED] + 1;
    unsigned round = barrier[ROUND];
    barrier[ARRIVED] = arrived == count ? 0 : arrived;
    barrier[ROUND] = arrived == count ? round + 1 : round;
    __mazurka_atomic_end();
    if (arrived == count) {
        return SERIAL_THREAD;
    }
    __mazurka_atomic_begin();
    unsigned now = barrier[ROUND];
    __mazurka_await(now != round);
    __mazurka_atomic_end();
    return 0;
}
