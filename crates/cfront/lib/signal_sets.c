/* Sets of signals: bits of the first words, as in glibc, which keeps two signals for itself. */

int *__errno_location(void);

enum { EINVAL = 22, LAST_SIGNAL = 64, FIRST_OWN = 32, LAST_OWN = 33 };

static int invalid(void) {
    *__errno_location() = EINVAL;
    return -1;
}

static _Bool is_signal(int number) {
    return number > 0 && number <= LAST_SIGNAL && (number < FIRST_OWN || number > LAST_OWN);
}

int sigemptyset(unsigned *set) {
    set[0] = 0;
    set[1] = 0;
    return 0;
}

int sigfillset(unsigned *set) {
    set[0] = 0x7fffffff;
    set[1] = 0xfffffffe;
    return 0;
}

int sigaddset(unsigned *set, int number) {
    if (!is_signal(number)) {
        return invalid();
    }
    set[(number - 1) / 32] |= 1u << (number - 1) % 32;
    return 0;
}

int sigdelset(unsigned *set, int number) {
    if (!is_signal(number)) {
        return invalid();
    }
    set[(number - 1) / 32] &= ~(1u << (number - 1) % 32);
    return 0;
}

int sigismember(const unsigned *set, int number) {
    if (number <= 0 || number > LAST_SIGNAL) {
        return invalid();
    }
    return set[(number - 1) / 32] >> (number - 1) % 32 & 1;
}

int sigisemptyset(const unsigned *set) {
    return set[0] == 0 && set[1] == 0;
}

int sigandset(unsigned *set, const unsigned *left, const unsigned *right) {
    set[0] = left[0] & right[0];
    set[1] = left[1] & right[1];
    return 0;
}

int sigorset(unsigned *set, const unsigned *left, const unsigned *right) {
    set[0] = left[0] | right[0];
    set[1] = left[1] | right[1];
    return 0;
}
