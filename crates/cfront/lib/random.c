/* Unpredictable numbers and bytes. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
int __mazurka_any_int(void);
unsigned __mazurka_any_unsigned(void);
long __mazurka_any_long(void);
double __mazurka_any_double(void);
void __mazurka_assume(int condition);
int __mazurka_typical(const char *assumption);
int *__errno_location(void);

enum { EIO = 5, EINTR = 4, ENTROPY_LIMIT = 256, PARAMETERS = 7 };

static unsigned after(unsigned seed) {
    return seed * 1103515245u + 12345u;
}

int rand_r(unsigned *seed) {
    if (__mazurka_typical("the numbers of `rand_r` are those of glibc")) {
        unsigned first = after(*seed), second = after(first), third = after(second);
        *seed = third;
        return (int)(((first >> 16) % 2048 << 20) ^ ((second >> 16) % 1024 << 10) ^ (third >> 16) % 1024);
    }
    *seed = __mazurka_any_unsigned();
    int number = __mazurka_any_int();
    __mazurka_assume(number >= 0);
    return number;
}

/* What comes next: nothing protects it. */
static char state;

void srand48(long seed) {
    (void)seed;
    state = 0;
}

void lcong48(unsigned short *parameters) {
    for (int at = 0; at < PARAMETERS; at++) {
        unsigned short parameter = parameters[at];
        (void)parameter;
    }
    state = 0;
}

double drand48(void) {
    state = 0;
    double number = __mazurka_any_double();
    __mazurka_assume(number >= 0.0 && number < 1.0);
    return number;
}

long lrand48(void) {
    state = 0;
    int number = __mazurka_any_int();
    __mazurka_assume(number >= 0);
    return number;
}

long mrand48(void) {
    state = 0;
    return __mazurka_any_int();
}

unsigned arc4random_uniform(unsigned bound) {
    if (bound < 2) {
        return 0;
    }
    unsigned number = __mazurka_any_unsigned();
    __mazurka_assume(number < bound);
    return number;
}

void arc4random_buf(void *to, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        ((char *)to)[at] = __mazurka_any_char();
    }
}

int getentropy(void *to, unsigned long size) {
    if (size > ENTROPY_LIMIT || __mazurka_any_bool()) {
        *__errno_location() = EIO;
        return -1;
    }
    arc4random_buf(to, size);
    return 0;
}

long getrandom(void *to, unsigned long size, unsigned flags) {
    (void)flags;
    if (__mazurka_any_bool()) {
        *__errno_location() = EINTR;
        return -1;
    }
    unsigned long count = (unsigned long)__mazurka_any_long();
    __mazurka_assume(count <= size && (count == size || size > ENTROPY_LIMIT));
    arc4random_buf(to, count);
    return (long)count;
}
