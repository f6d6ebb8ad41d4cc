/* System calls that programs make by their number. A futex is a number that a thread waits at: the thread that waits
   looks at it and goes to sleep in one step. */

int __mazurka_cond_wait(void *cond, void *mutex);
int __mazurka_cond_timedwait(void *cond, void *mutex);
int pthread_cond_signal(void *cond);
int pthread_cond_broadcast(void *cond);
void __mazurka_lock(void *lock);
void __mazurka_unlock(void *lock);
_Bool __mazurka_any_bool(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);
int *__errno_location(void);
int gettid(void);
int __mazurka_call_of_futex(void);

enum { EAGAIN = 11, EINVAL = 22, ENOSYS = 38, ETIMEDOUT = 110, SECOND = 1000000000 };
enum { WAIT = 0, WAKE = 1, WAIT_MASKED = 9, WAKE_MASKED = 10, PRIVATE = 128, REALTIME = 256, ALL = 0x7fffffff };

struct moment { long seconds, nanoseconds; };

static int queues;

static long failed(int code) {
    *__errno_location() = code;
    return -1;
}

static long wait_at(int *place, int value, const struct moment *most) {
    if (most && (most->seconds < 0 || most->nanoseconds < 0 || most->nanoseconds >= SECOND)) {
        return failed(EINVAL);
    }
    __mazurka_lock(&queues);
    int now = __atomic_load_n(place, 5);
    int code = EAGAIN;
    if (now == value) {
        code = most ? __mazurka_cond_timedwait(place, &queues) : __mazurka_cond_wait(place, &queues);
    }
    __mazurka_unlock(&queues);
    return code == 0 ? 0 : failed(code);
}

/* How many threads were woken is not told: it is zero or more, and at most as many as were to be woken. */
static int woken(int most) {
    if (most <= 1) {
        return __mazurka_any_bool();
    }
    int count = __mazurka_any_int();
    __mazurka_assume(count >= 0 && count <= most);
    return count;
}

static long wake_at(int *place, int most) {
    __mazurka_lock(&queues);
    if (most == ALL) {
        pthread_cond_broadcast(place);
    } else {
        for (int count = 0; count < most || count == 0; count++) {
            pthread_cond_signal(place);
        }
    }
    __mazurka_unlock(&queues);
    return woken(most);
}

static long futex(int *place, int what, int value, const struct moment *most) {
    int how = what & ~(PRIVATE | REALTIME);
    if (how == WAIT || how == WAIT_MASKED) {
        return wait_at(place, value, most);
    }
    return how == WAKE || how == WAKE_MASKED ? wake_at(place, value) : failed(ENOSYS);
}

/* Numbers that are not here are refused where they are used. */
long syscall(long number, ...) {
    if (number == __mazurka_call_of_futex()) {
        __builtin_va_list list;
        __builtin_va_start(list, number);
        int *place = __builtin_va_arg(list, int *);
        int what = __builtin_va_arg(list, int);
        int value = __builtin_va_arg(list, int);
        int how = what & ~(PRIVATE | REALTIME);
        struct moment *most = (struct moment *)0;
        if (how == WAIT || how == WAIT_MASKED) {
            most = __builtin_va_arg(list, struct moment *);
        }
        __builtin_va_end(list);
        return futex(place, what, value, most);
    }
    return gettid();
}
