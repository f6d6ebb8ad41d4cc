/* What the system says of itself and of the process. */

int __mazurka_typical(const char *assumption);
long __mazurka_any_long(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);
void __mazurka_any_errno(void);

enum { ARGUMENTS = 0, CHILDREN = 1, TICKS = 2, OPEN_FILES = 4, PAGE_SIZE = 30, VECTORS = 60, LOGIN_NAME = 71, THREAD_STACK = 75 };
enum { THREADS = 76, CONFIGURED = 83, ONLINE = 84, PAGES = 85, AVAILABLE_PAGES = 86, HOST_NAME = 180, CACHE_LINE = 190 };
enum { PROCESSORS = 2, PAGE = 4096, FILES = 1024 };

static long unknown_limit(void) {
    long any = __mazurka_any_long();
    __mazurka_assume(any >= -1);
    __mazurka_any_errno();
    return any;
}

static _Bool is_typical(void) {
    return __mazurka_typical("the machine has 2 processors, pages of 4096 bytes, and the usual limits");
}

long sysconf(int name) {
    if (!is_typical()) {
        return unknown_limit();
    }
    switch (name) {
    case ARGUMENTS: return 2097152;
    case CHILDREN: return 30000;
    case TICKS: return 100;
    case OPEN_FILES: return FILES;
    case PAGE_SIZE: return PAGE;
    case VECTORS: return 1024;
    case LOGIN_NAME: return 256;
    case THREAD_STACK: return 16384;
    case THREADS: return -1;
    case CONFIGURED: return PROCESSORS;
    case ONLINE: return PROCESSORS;
    case PAGES: return 1048576;
    case AVAILABLE_PAGES: return 524288;
    case HOST_NAME: return 64;
    case CACHE_LINE: return 64;
    default: return unknown_limit();
    }
}

long __sysconf(int name) {
    return sysconf(name);
}

int get_nprocs(void) {
    return is_typical() ? PROCESSORS : (int)unknown_limit();
}

int get_nprocs_conf(void) {
    return get_nprocs();
}

int getpagesize(void) {
    return is_typical() ? PAGE : (int)unknown_limit();
}

int getdtablesize(void) {
    return is_typical() ? FILES : (int)unknown_limit();
}
