/* Functions that run when the process ends, the last one first. POSIX promises room for 32 and so do we. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);

enum { MOST = 32 };

static unsigned count;
static void (*list[MOST + 1])(void);

int atexit(void (*function)(void)) {
    __mazurka_atomic_begin();
    unsigned at = count;
    list[at] = function;
    count = at < MOST ? at + 1 : at;
    __mazurka_atomic_end();
    return at < MOST ? 0 : -1;
}

/* Those that are added meanwhile run too. */
void __mazurka_run_exit_functions(void) {
    for (;;) {
        __mazurka_atomic_begin();
        unsigned left = count;
        void (*function)(void) = list[left > 0 ? left - 1 : MOST];
        count = left > 0 ? left - 1 : 0;
        __mazurka_atomic_end();
        if (left == 0) {
            return;
        }
        function();
    }
}
