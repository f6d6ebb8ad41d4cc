/* Misuse of condition variables: how many threads wait on one, how many were woken and have not come back yet, and with
   which mutex. A thread that comes back was woken by a signal or by itself; if both are possible, either is tried. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_misuse(_Bool happens, const char *what);
void __mazurka_beyond(_Bool happens);
_Bool __mazurka_any_bool(void);
void __mazurka_check_waiting_mutex(void *mutex);

enum { DESTROYED = 0x5eaddead, READY = 0 };

struct condition { unsigned status, waiting, woken; void *mutex; };

static void check_usable(unsigned status) {
    __mazurka_misuse(status == DESTROYED, "destroyed");
    __mazurka_misuse(status != READY, "uninitialised");
}

void __mazurka_again_pthread_cond_init(struct condition *cond) {
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    unsigned waiting = cond->waiting;
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
    unsigned waiting = cond->waiting;
    unsigned woken = cond->woken;
    cond->status = DESTROYED;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(waiting != 0, "destroy-awaited");
    __mazurka_beyond(woken != 0);
}

void __mazurka_before_pthread_cond_signal(struct condition *cond) {
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    unsigned waiting = cond->waiting;
    unsigned wakes = waiting != 0;
    cond->waiting = waiting - wakes;
    cond->woken = cond->woken + wakes;
    __mazurka_atomic_end();
    check_usable(status);
}

void __mazurka_before_pthread_cond_broadcast(struct condition *cond) {
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    unsigned waiting = cond->waiting;
    cond->waiting = 0;
    cond->woken = cond->woken + waiting;
    __mazurka_atomic_end();
    check_usable(status);
}

void __mazurka_before_pthread_cond_wait(struct condition *cond, void *mutex) {
    __mazurka_check_waiting_mutex(mutex);
    __mazurka_atomic_begin();
    unsigned status = cond->status;
    unsigned waiting = cond->waiting;
    unsigned inside = waiting + cond->woken;
    void *before = cond->mutex;
    cond->waiting = waiting + 1;
    cond->mutex = mutex;
    __mazurka_atomic_end();
    check_usable(status);
    __mazurka_misuse(inside != 0 && before != mutex, "two-mutexes");
}

void __mazurka_after_pthread_cond_wait(int result, struct condition *cond) {
    (void)result;
    _Bool any = __mazurka_any_bool();
    __mazurka_atomic_begin();
    unsigned waiting = cond->waiting;
    unsigned woken = cond->woken;
    _Bool was_woken = (waiting == 0) | ((woken != 0) & any);
    cond->waiting = was_woken ? waiting : waiting - 1;
    cond->woken = was_woken ? woken - 1 : woken;
    __mazurka_atomic_end();
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
