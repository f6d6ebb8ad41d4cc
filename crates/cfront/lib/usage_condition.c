/* Misuse of condition variables: which threads wait on one, which were woken and have not come back yet, each a bit by its
   handle, and with which mutex. A signal wakes any one of those that wait; whoever else comes back was woken by itself. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_misuse(_Bool happens, const char *what);
void __mazurka_beyond(_Bool happens);
_Bool __mazurka_any_bool(void);
void __mazurka_assume(int condition);
unsigned __mazurka_self(void);
void __mazurka_check_waiting_mutex(void *mutex);

enum { DESTROYED = 0x5eaddead, READY = 0, MOST = 64 };

typedef unsigned long long threads;

struct condition { unsigned status; threads waiting, woken; void *mutex; };

static threads this_thread(void) {
    unsigned self = __mazurka_self();
    __mazurka_beyond(self > MOST);
    return 1ull << (self - 1);
}

static threads any_one_of(threads waiting) {
    while ((waiting & (waiting - 1)) != 0 && __mazurka_any_bool()) {
        waiting = waiting & (waiting - 1);
    }
    return waiting & -waiting;
}

static void check_usable(unsigned status) {
    __mazurka_misuse(status == DESTROYED, "destroyed");
    __mazurka_misuse(status != READY, "uninitialised");
}

void __mazurka_again_pthread_cond_init(struct condition *cond) {
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    threads waiting = cond->waiting;
    __mazurka_atomic_end();
    __mazurka_misuse(status == READY && waiting != 0, "init-in-use");
}

void __mazurka_before_pthread_cond_init(struct condition *cond) {
    __mazurka_atomic_begin();
    cond->status = READY;
    cond->waiting = 0;
    cond->woken = 0;
    cond->mutex = 0;
    __mazurka_atomic_end();
}

/* Who was woken and is still on the way out does not wait any more, but the model would look at what may be gone. */
void __mazurka_before_pthread_cond_destroy(struct condition *cond) {
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    threads waiting = cond->waiting;
    threads woken = cond->woken;
    cond->status = DESTROYED;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(waiting != 0, "destroy-awaited");
    __mazurka_beyond(woken != 0);
}

/* Which one is decided before: as if the signal had looked just now, or else this is no execution. */
void __mazurka_before_pthread_cond_signal(struct condition *cond) {
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    threads seen = cond->waiting;
    __mazurka_atomic_end();
    check_usable(status);
    threads one = any_one_of(seen);
    __mazurka_atomic_begin();
    threads waiting = cond->waiting;
    threads woken = cond->woken;
    __mazurka_assume(waiting == seen);
    cond->waiting = waiting & ~one;
    cond->woken = woken | one;
    __mazurka_atomic_end();
}

void __mazurka_before_pthread_cond_broadcast(struct condition *cond) {
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    threads waiting = cond->waiting;
    cond->waiting = 0;
    cond->woken = cond->woken | waiting;
    __mazurka_atomic_end();
    check_usable(status);
}

void __mazurka_before_pthread_cond_wait(struct condition *cond, void *mutex) {
    __mazurka_check_waiting_mutex(mutex);
    threads this = this_thread();
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    threads waiting = cond->waiting;
    threads inside = waiting | cond->woken;
    void *before = cond->mutex;
    cond->waiting = waiting | this;
    cond->mutex = mutex;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(inside != 0 && before != mutex, "two-mutexes");
}

void __mazurka_after_pthread_cond_wait(int result, struct condition *cond) {
    (void)result;
    threads this = this_thread();
    __mazurka_atomic_begin();
    threads waiting = cond->waiting;
    threads woken = cond->woken;
    cond->waiting = waiting & ~this;
    cond->woken = woken & ~this;
    __mazurka_atomic_end();
}

void __mazurka_cancelled_wait(struct condition *cond) {
    __mazurka_after_pthread_cond_wait(0, cond);
}

void __mazurka_before_pthread_cond_timedwait(struct condition *cond, void *mutex) {
    __mazurka_before_pthread_cond_wait(cond, mutex);
}

void __mazurka_after_pthread_cond_timedwait(int result, struct condition *cond) {
    __mazurka_after_pthread_cond_wait(result, cond);
}

void __mazurka_before_pthread_cond_clockwait(struct condition *cond, void *mutex) {
    __mazurka_before_pthread_cond_wait(cond, mutex);
}

void __mazurka_after_pthread_cond_clockwait(int result, struct condition *cond) {
    __mazurka_after_pthread_cond_wait(result, cond);
}

void __mazurka_again_cnd_init(struct condition *cond) {
    __mazurka_again_pthread_cond_init(cond);
}

void __mazurka_before_cnd_init(struct condition *cond) {
    __mazurka_before_pthread_cond_init(cond);
}

void __mazurka_before_cnd_destroy(struct condition *cond) {
    __mazurka_before_pthread_cond_destroy(cond);
}

void __mazurka_before_cnd_signal(struct condition *cond) {
    __mazurka_before_pthread_cond_signal(cond);
}

void __mazurka_before_cnd_broadcast(struct condition *cond) {
    __mazurka_before_pthread_cond_broadcast(cond);
}

void __mazurka_before_cnd_wait(struct condition *cond, void *mutex) {
    __mazurka_before_pthread_cond_wait(cond, mutex);
}

void __mazurka_after_cnd_wait(int result, struct condition *cond) {
    __mazurka_after_pthread_cond_wait(result, cond);
}

void __mazurka_before_cnd_timedwait(struct condition *cond, void *mutex) {
    __mazurka_before_pthread_cond_wait(cond, mutex);
}

void __mazurka_after_cnd_timedwait(int result, struct condition *cond) {
    __mazurka_after_pthread_cond_wait(result, cond);
}
