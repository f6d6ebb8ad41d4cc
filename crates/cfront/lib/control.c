/* What a program tells the system about its open files. */

struct range { short type, whence; long start, length; int process; };

int __mazurka_any_int(void);
long __mazurka_any_long(void);
void __mazurka_assume(int condition);
void __mazurka_any_errno(void);
int *__errno_location(void);

enum { EINVAL = 22, LAST_PLAIN = 4, GET_LOCK = 5, SET_LOCK = 6, WAIT_FOR_LOCK = 7, SET_OWNER = 8, GET_SIGNAL = 11 };
enum { GET_LOCK_OF_FILE = 36, WAIT_FOR_LOCK_OF_FILE = 38, FIRST_LINUX = 1024, LAST_LINUX = 1034 };

static int any_answer(void) {
    int any = __mazurka_any_int();
    __mazurka_assume(any >= -1);
    __mazurka_any_errno();
    return any;
}

static void read_range(const struct range *range) {
    long used = range->start + range->length + range->type + range->whence;
    (void)used;
}

/* Commands that this model does not know are refused, as by a system that does not know them. */
int fcntl(int file, int command, ...) {
    (void)file;
    __builtin_va_list list;
    _Bool asks = command == GET_LOCK || command == GET_LOCK_OF_FILE;
    _Bool is_lock = asks || (command >= SET_LOCK && command <= WAIT_FOR_LOCK)
        || (command > GET_LOCK_OF_FILE && command <= WAIT_FOR_LOCK_OF_FILE);
    if (is_lock) {
        __builtin_va_start(list, command);
        struct range *range = __builtin_va_arg(list, struct range *);
        __builtin_va_end(list);
        read_range(range);
        int answer = any_answer();
        if (asks && answer >= 0) {
            range->type = (short)__mazurka_any_int();
            range->whence = (short)__mazurka_any_int();
            range->start = __mazurka_any_long();
            range->length = __mazurka_any_long();
            range->process = __mazurka_any_int();
        }
        return answer;
    }
    if (command >= 0 && command <= LAST_PLAIN) {
        return any_answer();
    }
    if ((command >= SET_OWNER && command <= GET_SIGNAL) || (command >= FIRST_LINUX && command <= LAST_LINUX)) {
        return any_answer();
    }
    *__errno_location() = EINVAL;
    return -1;
}
