/* Other processes that a program starts. They are not part of what is checked. */

_Bool __mazurka_any_bool(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);
void __mazurka_assuming(const char *assumption);
void __mazurka_any_errno(void);
void __mazurka_exit(void);
int __mazurka_reads(void);

static int any_process(void) {
    int any = __mazurka_any_int();
    __mazurka_assume(any == -1 || any > 0);
    if (any < 0) {
        __mazurka_any_errno();
    }
    return any;
}

int fork(void) {
    __mazurka_assuming("only the process that calls `fork` is checked; the new one shares nothing with it");
    return any_process();
}

/* The process that goes on is the new one. */
int daemon(int stays, int keeps) {
    (void)stays;
    (void)keeps;
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return -1;
    }
    return 0;
}

static int wait_for(int *status, int least) {
    int any = __mazurka_any_int();
    __mazurka_assume(any >= least);
    if (any < 0) {
        __mazurka_any_errno();
    } else if (status) {
        *status = __mazurka_any_int();
    }
    return any;
}

int wait(int *status) {
    int any = wait_for(status, -1);
    __mazurka_assume(any != 0);
    return any;
}

int waitpid(int process, int *status, int options) {
    int any = wait_for(status, -1);
    __mazurka_assume(any != 0 || (options & 1) != 0);
    __mazurka_assume(any <= 0 || process <= 0 || any == process);
    return any;
}

static void read_text(const char *text) {
    if (__mazurka_reads()) {
        while (*text) {
            text++;
        }
    }
}

/* A process that is replaced does nothing more. */
static int run(const char *file, char *const *arguments) {
    read_text(file);
    for (int at = 0; arguments && arguments[at]; at++) {
        read_text(arguments[at]);
    }
    if (!__mazurka_any_bool()) {
        __mazurka_exit();
    }
    __mazurka_any_errno();
    return -1;
}

int execv(const char *file, char *const *arguments) {
    return run(file, arguments);
}

int execvp(const char *file, char *const *arguments) {
    return run(file, arguments);
}

int execve(const char *file, char *const *arguments, char *const *variables) {
    for (int at = 0; variables && variables[at]; at++) {
        read_text(variables[at]);
    }
    return run(file, arguments);
}

static int run_list(const char *file, const char *argument, __builtin_va_list list) {
    while (argument) {
        read_text(argument);
        argument = __builtin_va_arg(list, const char *);
    }
    return run(file, (char *const *)0);
}

int execl(const char *file, const char *argument, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, argument);
    int result = run_list(file, argument, list);
    __builtin_va_end(list);
    return result;
}

int execlp(const char *file, const char *argument, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, argument);
    int result = run_list(file, argument, list);
    __builtin_va_end(list);
    return result;
}
