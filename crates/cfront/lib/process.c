/* The process, and signals that it sends to itself. Most of them end the process, unless `lib/handlers.c` knows
   better. */

int __mazurka_any_int(void);
void __mazurka_assuming(const char *assumption);
_Bool __mazurka_any_bool(void);
void __mazurka_assume(int condition);
void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_exit(void);
int __mazurka_handle_signal(int number);
int __mazurka_holds_signals(void);
void __mazurka_any_errno(void);
int *__errno_location(void);

enum { EINVAL = 22, LAST_SIGNAL = 64, FIRST_OWN = 32, LAST_OWN = 33 };
enum { SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGTTOU = 22, SIGURG = 23, SIGWINCH = 28 };

static int process;

/* A number that does not change. */
int getpid(void) {
    int any = __mazurka_any_int();
    __mazurka_assume(any > 0);
    __mazurka_atomic_begin();
    int known = process;
    process = known == 0 ? any : known;
    __mazurka_atomic_end();
    return known == 0 ? any : known;
}

static _Bool is_signal(int number) {
    return number >= 0 && number <= LAST_SIGNAL;
}

/* Does what a signal does by default; after a stop the process goes on. */
void __mazurka_default_signal(int number) {
    _Bool is_ignored = number == 0 || number == SIGCHLD || number == SIGURG || number == SIGWINCH;
    _Bool stops = number >= SIGCONT && number <= SIGTTOU;
    if (!is_ignored && !stops) {
        __mazurka_exit();
    }
}

/* Which signals a thread holds back is not worked out. */
static _Bool unknown_mask(void) {
    return __mazurka_any_bool();
}

/* A signal that is held back stays where it is: somebody may wait for it. */
static void receive(int number) {
    if (__mazurka_holds_signals() && unknown_mask()) {
        return;
    }
    if (number == 0 || !__mazurka_handle_signal(number)) {
        __mazurka_default_signal(number);
    }
}

/* The library keeps two signals for itself. */
static _Bool is_own(int number) {
    return number == FIRST_OWN || number == LAST_OWN;
}

int raise(int number) {
    if (!is_signal(number) || is_own(number)) {
        *__errno_location() = EINVAL;
        return -1;
    }
    receive(number);
    return 0;
}

int gsignal(int number) {
    return raise(number);
}

/* Of other processes nothing is known; a group may contain this one. */
int kill(int to, int number) {
    if (to == 0 || to == getpid()) {
        __mazurka_assuming("a signal that the program sends to itself is taken care of by the thread that sends it");
        return raise(number);
    }
    if (to < -1 && is_signal(number) && __mazurka_any_bool()) {
        __mazurka_assuming("a signal that the program sends to itself is taken care of by the thread that sends it");
        receive(number);
        return 0;
    }
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return -1;
    }
    return 0;
}

int killpg(int group, int number) {
    if (group < 0) {
        *__errno_location() = EINVAL;
        return -1;
    }
    return kill(group == 0 ? 0 : -group, number);
}

/* A signal for one thread ends the whole process too. */
int pthread_kill(unsigned long thread, int number) {
    (void)thread;
    if (!is_signal(number) || is_own(number)) {
        return EINVAL;
    }
    receive(number);
    return 0;
}
