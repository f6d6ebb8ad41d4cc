/* Which signals a thread holds back. A program that calls these sends no signals, so that only the result
   of a call shows it. What a thread starts with is its parent's, which is not worked out. */

unsigned __mazurka_any_unsigned(void);
int *__errno_location(void);

enum { EINVAL = 22, MOST_HOW = 2 };

static unsigned old_mask(void) {
    return __mazurka_any_unsigned();
}

int pthread_sigmask(int how, const unsigned *set, unsigned *old) {
    if (set) {
        unsigned used = set[0] | set[1];
        (void)used;
        if (how < 0 || how > MOST_HOW) {
            return EINVAL;
        }
    }
    if (old) {
        old[0] = old_mask();
        old[1] = old_mask();
    }
    return 0;
}

int sigprocmask(int how, const unsigned *set, unsigned *old) {
    int code = pthread_sigmask(how, set, old);
    if (code != 0) {
        *__errno_location() = code;
        return -1;
    }
    return 0;
}
