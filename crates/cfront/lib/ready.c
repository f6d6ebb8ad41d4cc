/* Waiting until files are ready: any of those that a program asks about, at any time. */

struct moment { long seconds, fraction; };
struct question { int file; short events, answers; };

_Bool __mazurka_any_bool(void);
int __mazurka_any_int(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
void __mazurka_any_errno(void);
int *__errno_location(void);

enum { EINVAL = 22, WORD = 64, MOST_FILES = 1024, ALWAYS = 0x38 };

static _Bool fails(void) {
    return __mazurka_any_bool();
}

static unsigned long ready_bits(unsigned long asked) {
    return (unsigned long)__mazurka_any_long() & asked;
}

/* How many files of a set are ready; the others leave it. */
static int keep_ready(unsigned long *set, int files) {
    int count = 0;
    for (int at = 0; set && at * WORD < files; at++) {
        unsigned long asked = set[at];
        int rest = files - at * WORD;
        unsigned long ready = ready_bits(rest < WORD ? asked & ((1ul << rest) - 1) : asked);
        set[at] = ready;
        count += __builtin_popcountl(ready);
    }
    return count;
}

static _Bool is_negative(const struct moment *rest) {
    return rest && (rest->seconds < 0 || rest->fraction < 0);
}

static long shorter(long than) {
    long any = __mazurka_any_long();
    __mazurka_assume(any >= 0 && any <= than);
    return any;
}

static int ready_files(int files, unsigned long *read, unsigned long *write, unsigned long *error, _Bool for_ever) {
    int most = files > MOST_FILES ? MOST_FILES : files;
    if (fails()) {
        __mazurka_any_errno();
        return -1;
    }
    int count = keep_ready(read, most) + keep_ready(write, most) + keep_ready(error, most);
    __mazurka_assume(count > 0 || !for_ever);
    return count;
}

static int invalid(void) {
    *__errno_location() = EINVAL;
    return -1;
}

/* Linux tells how much of the time is left. */
int select(int files, unsigned long *read, unsigned long *write, unsigned long *error, struct moment *rest) {
    if (files < 0 || is_negative(rest)) {
        return invalid();
    }
    int count = ready_files(files, read, write, error, !rest);
    if (rest) {
        long seconds = shorter(rest->seconds);
        rest->fraction = seconds < rest->seconds ? shorter(999999) : shorter(rest->fraction);
        rest->seconds = seconds;
    }
    return count;
}

int pselect(int files, unsigned long *read, unsigned long *write, unsigned long *error, const struct moment *rest, const void *mask) {
    (void)mask;
    return files < 0 || is_negative(rest) ? invalid() : ready_files(files, read, write, error, !rest);
}

static short answers(const struct question *to) {
    short any = (short)__mazurka_any_int();
    int possible = to->file < 0 ? 0 : to->events | ALWAYS;
    __mazurka_assume((any & ~possible) == 0);
    return any;
}

static int ask(struct question *questions, unsigned long count, _Bool for_ever) {
    if (fails()) {
        __mazurka_any_errno();
        return -1;
    }
    int ready = 0;
    for (unsigned long at = 0; at < count; at++) {
        short answer = answers(&questions[at]);
        questions[at].answers = answer;
        ready += answer != 0;
    }
    __mazurka_assume(ready > 0 || !for_ever);
    return ready;
}

int poll(struct question *questions, unsigned long count, int milliseconds) {
    return ask(questions, count, milliseconds < 0);
}

int ppoll(struct question *questions, unsigned long count, const struct moment *most, const void *mask) {
    (void)mask;
    return is_negative(most) ? invalid() : ask(questions, count, !most);
}
