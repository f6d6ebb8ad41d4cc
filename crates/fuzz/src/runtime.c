/* What compiled random programs run on: one thread at a time, changed at random before accesses.

   The running thread holds the baton. It is passed on before accesses to memory (the compiler calls
   __tsan_readN and __tsan_writeN there) and given up while a call may block. So an execution is
   an interleaving of the program's own steps, atomic sections stay whole, and a run that
   reaches an error proves that the program can. A run that gets stuck is killed and says nothing. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REACHED = 42, STUCK_AFTER_US = 20000, MOST_WAITING = 64, MOST_KNOWN = 256 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static sem_t *waiting[MOST_WAITING];
static unsigned waiters, arrived;
static int busy;
static pthread_key_t at_end;
static unsigned long long state;
static unsigned calm;
static __thread int holding, section;
static __thread sem_t turn;

static unsigned next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33);
}

extern int __real_pthread_mutex_lock(pthread_mutex_t *);
extern int __real_pthread_mutex_unlock(pthread_mutex_t *);
extern int __real_sem_wait(sem_t *);

/* Both with the guard held. */
static void queue_up(void)
{
    if (waiters == MOST_WAITING)
        _exit(0);
    waiting[waiters++] = &turn;
}
static void wake_one(void)
{
    unsigned chosen = next() % waiters;
    sem_t *its_turn = waiting[chosen];
    waiting[chosen] = waiting[--waiters];
    sem_post(its_turn);
}

static void take(void)
{
    __real_pthread_mutex_lock(&guard);
    int wait = busy;
    busy = 1;
    if (wait)
        queue_up();
    __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
    __real_pthread_mutex_unlock(&guard);
    if (wait)
        while (__real_sem_wait(&turn)) { }
    holding = 1;
}

static void give(void)
{
    if (!holding)
        return;
    holding = 0;
    __real_pthread_mutex_lock(&guard);
    if (waiters)
        wake_one();
    else
        busy = 0;
    __real_pthread_mutex_unlock(&guard);
}

static void pass_on(void)
{
    if (!holding || section || next() % calm)
        return;
    /* Threads that have been woken by the system only now come back. */
    sched_yield();
    __real_pthread_mutex_lock(&guard);
    int pass = waiters > 0;
    if (pass) {
        wake_one();
        queue_up();
    }
    __real_pthread_mutex_unlock(&guard);
    if (pass)
        while (__real_sem_wait(&turn)) { }
}

/* Before every access. */
#define ACCESS(name) void __tsan_##name(void *at) { (void)at; pass_on(); }
ACCESS(read1) ACCESS(read2) ACCESS(read4) ACCESS(read8) ACCESS(read16)
ACCESS(write1) ACCESS(write2) ACCESS(write4) ACCESS(write8) ACCESS(write16)
ACCESS(unaligned_read2) ACCESS(unaligned_read4) ACCESS(unaligned_read8) ACCESS(unaligned_read16)
ACCESS(unaligned_write2) ACCESS(unaligned_write4) ACCESS(unaligned_write8) ACCESS(unaligned_write16)
void __tsan_read_range(void *at, unsigned long size) { (void)at, (void)size; pass_on(); }
void __tsan_write_range(void *at, unsigned long size) { (void)at, (void)size; pass_on(); }
void __tsan_init(void) { }
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) { }
void __tsan_atomic_thread_fence(int order) { (void)order; pass_on(); }
void __tsan_atomic_signal_fence(int order) { (void)order; }

/* Atomic operations, for which the compiler leaves the work to us. */
#define UPDATE(bits, type, op)                                        \
    type __tsan_atomic##bits##_##op(type *at, type value, int order)  \
    { (void)order; pass_on(); return __atomic_##op(at, value, __ATOMIC_SEQ_CST); }
#define COMPARE(bits, type, how)                                                        \
    int __tsan_atomic##bits##_compare_exchange_##how(type *at, type *seen, type value,  \
                                                     int order, int other)              \
    { (void)order, (void)other; pass_on();                                              \
      return __atomic_compare_exchange_n(at, seen, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }
#define ATOMIC(bits, type)                                                     \
    type __tsan_atomic##bits##_load(type *at, int order)                       \
    { (void)order; pass_on(); return __atomic_load_n(at, __ATOMIC_SEQ_CST); }  \
    void __tsan_atomic##bits##_store(type *at, type value, int order)          \
    { (void)order; pass_on(); __atomic_store_n(at, value, __ATOMIC_SEQ_CST); } \
    type __tsan_atomic##bits##_exchange(type *at, type value, int order)       \
    { (void)order; pass_on(); return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); } \
    UPDATE(bits, type, fetch_add) UPDATE(bits, type, fetch_sub) UPDATE(bits, type, fetch_and) \
    UPDATE(bits, type, fetch_or) UPDATE(bits, type, fetch_xor) UPDATE(bits, type, fetch_nand) \
    COMPARE(bits, type, strong) COMPARE(bits, type, weak)
ATOMIC(8, unsigned char) ATOMIC(16, unsigned short) ATOMIC(32, unsigned) ATOMIC(64, unsigned long)

/* What exists: threads that can be joined, barriers that have been initialised. A thread that uses
   another one does what is undefined, and the run ends. */
static unsigned long known[MOST_KNOWN];
static void know(unsigned long what)
{
    for (int at = 0; at < MOST_KNOWN; at++)
        if (known[at] == 0) {
            known[at] = what;
            return;
        }
    _exit(0);
}
static void check(unsigned long what, int forget)
{
    for (int at = 0; at < MOST_KNOWN; at++)
        if (known[at] == what) {
            known[at] = forget ? 0 : what;
            return;
        }
    _exit(0);
}

/* Calls that may block: the baton is given up meanwhile. */
#define BLOCKING(name, params, args)            \
    extern int __real_##name params;            \
    int __wrap_##name params                    \
    {                                           \
        give();                                 \
        sched_yield();                          \
        int result = __real_##name args;        \
        take();                                 \
        return result;                          \
    }
BLOCKING(pthread_mutex_lock, (pthread_mutex_t *m), (m))
BLOCKING(pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m), (c, m))
BLOCKING(pthread_cond_timedwait,
         (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t), (c, m, t))
BLOCKING(pthread_rwlock_rdlock, (pthread_rwlock_t *l), (l))
BLOCKING(pthread_rwlock_wrlock, (pthread_rwlock_t *l), (l))
BLOCKING(pthread_spin_lock, (pthread_spinlock_t *l), (l))
BLOCKING(sem_timedwait, (sem_t *s, const struct timespec *t), (s, t))
BLOCKING(usleep, (useconds_t us), (us % 50))
extern int __real_pthread_join(pthread_t, void **);
int __wrap_pthread_join(pthread_t t, void **r)
{
    check(t, 1);
    give();
    sched_yield();
    int result = __real_pthread_join(t, r);
    take();
    return result;
}
extern int __real_pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
int __wrap_pthread_barrier_init(pthread_barrier_t *b, const void *a, unsigned count)
{
    know((unsigned long)b);
    return __real_pthread_barrier_init(b, a, count);
}
extern int __real_pthread_barrier_wait(pthread_barrier_t *);
int __wrap_pthread_barrier_wait(pthread_barrier_t *b)
{
    check((unsigned long)b, 0);
    give();
    sched_yield();
    int result = __real_pthread_barrier_wait(b);
    take();
    return result;
}
int __wrap_sem_wait(sem_t *s)
{
    give();
    sched_yield();
    int result = __real_sem_wait(s);
    take();
    return result;
}
int __wrap_pthread_mutex_unlock(pthread_mutex_t *m)
{
    pass_on();
    return __real_pthread_mutex_unlock(m);
}

/* A thread whose routine another one is running must wait for that one without the baton. */
extern int __real_pthread_once(pthread_once_t *, void (*)(void));
static __thread void (*routine)(void);
static void with_baton(void) { take(); routine(); give(); }
int __wrap_pthread_once(pthread_once_t *once, void (*init)(void))
{
    give();
    sched_yield();
    void (*before)(void) = routine;
    routine = init;
    int result = __real_pthread_once(once, with_baton);
    routine = before;
    take();
    return result;
}

/* A thread starts with the baton and gives it up at its end, wherever that is. */
struct start { void *(*routine)(void *); void *arg; };
static void *begin_thread(void *raw)
{
    struct start start = *(struct start *)raw;
    free(raw);
    take();
    pthread_setspecific(at_end, &at_end);
    return start.routine(start.arg);
}
/* Destructors of the program's own keys run in up to four rounds: the baton is kept until then. */
static void end_thread(void *value)
{
    static __thread int rounds;
    if (++rounds < 4)
        pthread_setspecific(at_end, value);
    else
        give();
}

extern int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg)
{
    struct start *start = malloc(sizeof *start);
    start->routine = f;
    start->arg = arg;
    unsigned before = __atomic_load_n(&arrived, __ATOMIC_SEQ_CST);
    int result = __real_pthread_create(t, a, begin_thread, start);
    while (result == 0 && __atomic_load_n(&arrived, __ATOMIC_SEQ_CST) == before)
        sched_yield();
    if (result == 0)
        know(*t);
    pass_on();
    return result;
}

/* What verifiers give programs. */
__attribute__((weak)) void reach_error(void) { _exit(REACHED); }
__attribute__((weak)) void __VERIFIER_error(void) { _exit(REACHED); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d)
{
    (void)a, (void)b, (void)c, (void)d;
    _exit(REACHED);
}
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
__attribute__((weak)) void __VERIFIER_atomic_begin(void) { pass_on(); section++; }
__attribute__((weak)) void __VERIFIER_atomic_end(void) { section -= section > 0; }

static unsigned long long input(void)
{
    static const unsigned long long usual[] = {0, 1, 2, 3, -1, 127, 128, 0x7fffffff};
    unsigned kind = next() % 12;
    return kind < 8 ? usual[kind] : (unsigned long long)next() << 32 ^ next();
}
#define INPUT(name, type) \
    __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)input(); }
__attribute__((weak)) _Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
INPUT(char, char) INPUT(uchar, unsigned char) INPUT(short, short) INPUT(ushort, unsigned short)
INPUT(int, int) INPUT(uint, unsigned) INPUT(long, long) INPUT(ulong, unsigned long)
INPUT(longlong, long long) INPUT(ulonglong, unsigned long long) INPUT(size_t, unsigned long)
INPUT(unsigned, unsigned) INPUT(u8, unsigned char) INPUT(u16, unsigned short) INPUT(u32, unsigned)

/* One run in a child, which is killed when it takes too long. */
static void child(unsigned run)
{
    state = run * 0x9e3779b97f4a7c15u + 1;
    next();
    calm = 1 + next() % 8;
    struct itimerval limit = {{0, 0}, {0, STUCK_AFTER_US}};
    setitimer(ITIMER_REAL, &limit, 0);
    pthread_key_create(&at_end, end_thread);
    take();
    pthread_setspecific(at_end, &at_end);
}

/* As many runs as asked for, before `main`; the last one goes on into it. */
__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("MAZURKA_RUNS");
    unsigned runs = text ? (unsigned)atoi(text) : 1;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    for (unsigned run = 0; run < runs; run++) {
        pid_t pid = fork();
        if (pid == 0) {
            child(run);
            return;
        }
        int status = 0;
        waitpid(pid, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == REACHED)
            _exit(REACHED);
    }
    _exit(0);
}
