/* Cancellation: what is known about each thread that may be cancelled, by its handle. Only points of cancellation act on a
   request; a thread that leaves already does not act on another one. */

void __mazurka_assume(int condition);
void __mazurka_assuming(const char *assumption);
unsigned long __mazurka_self(void);
int __mazurka_cancels(void);
_Bool __mazurka_any_bool(void);
void __mazurka_end_cancelled(void);

enum { MOST = 64, REQUESTED = 1, DISABLED = 2, LEAVING = 4, EINVAL = 22, LAST_STATE = 1 };

unsigned char __mazurka_cancel_state[MOST];

static _Thread_local int state, type;

int pthread_cancel(unsigned long thread) {
    __mazurka_assuming("threads that are cancelled, or come to where they may be, are among the first 63 that start");
    __mazurka_assume(thread < MOST);
    __atomic_fetch_or(&__mazurka_cancel_state[thread], REQUESTED, 5);
    return 0;
}

int pthread_setcancelstate(int now, int *old) {
    if (now < 0 || now > LAST_STATE) {
        return EINVAL;
    }
    int before = state;
    state = now;
    if (__mazurka_cancels()) {
        unsigned long self = __mazurka_self();
        __mazurka_assume(self < MOST);
        if (now) {
            __atomic_fetch_or(&__mazurka_cancel_state[self], DISABLED, 5);
        } else {
            __atomic_fetch_and(&__mazurka_cancel_state[self], ~DISABLED, 5);
        }
    }
    if (old) {
        *old = before;
    }
    return 0;
}

int pthread_setcanceltype(int now, int *old) {
    if (now < 0 || now > LAST_STATE) {
        return EINVAL;
    }
    if (now && __mazurka_cancels()) {
        __mazurka_assuming("threads that may be cancelled at any moment are cancelled at points of cancellation only");
    }
    int before = type;
    type = now;
    if (old) {
        *old = before;
    }
    return 0;
}

void __mazurka_start_leaving(void) {
    unsigned long self = __mazurka_self();
    __mazurka_assume(self < MOST);
    __atomic_fetch_or(&__mazurka_cancel_state[self], LEAVING, 5);
}

void __mazurka_cancellation_point(void) {
    unsigned long self = __mazurka_self();
    __mazurka_assume(self < MOST);
    if (__atomic_load_n(&__mazurka_cancel_state[self], 5) == REQUESTED) {
        __mazurka_end_cancelled();
    }
}

/* A function that may look at requests, or not. */
void __mazurka_possible_cancellation_point(void) {
    if (__mazurka_any_bool()) {
        __mazurka_cancellation_point();
    }
}
