/* Unpredictable numbers and bytes. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
int __mazurka_any_int(void);
unsigned __mazurka_any_unsigned(void);
long __mazurka_any_long(void);
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

/* What comes next, and what makes it (POSIX.1-2017, `drand48`): nothing protects it. */
static const unsigned long long usual_factor = 0x5DEECE66DULL;
static unsigned long long state, factor = 0x5DEECE66DULL;
static unsigned summand = 11;

enum { LOW = 0x330E };

void srand48(long seed) {
    state = (unsigned long long)(unsigned)seed << 16 | LOW;
    factor = usual_factor;
    summand = 11;
}

static unsigned long long word(const unsigned short *parts) {
    return (unsigned long long)parts[2] << 32 | (unsigned long long)parts[1] << 16 | parts[0];
}

void lcong48(unsigned short *parameters) {
    state = word(parameters);
    factor = word(parameters + 3);
    summand = parameters[PARAMETERS - 1];
}

static unsigned long long next_of(unsigned long long number) {
    return (factor * number + summand) & 0xFFFFFFFFFFFFULL;
}

static unsigned long long next(void) {
    unsigned long long number = next_of(state);
    state = number;
    return number;
}

/* The same, of what the program keeps itself. */
static unsigned long long next_in(unsigned short *parts) {
    unsigned long long number = next_of(word(parts));
    parts[0] = (unsigned short)number;
    parts[1] = (unsigned short)(number >> 16);
    parts[2] = (unsigned short)(number >> 32);
    return number;
}

static double real(unsigned long long number) {
    return (double)number / 281474976710656.0;
}

double drand48(void) {
    return real(next());
}

double erand48(unsigned short *parts) {
    return real(next_in(parts));
}

long lrand48(void) {
    return (long)(next() >> 17);
}

long nrand48(unsigned short *parts) {
    return (long)(next_in(parts) >> 17);
}

long mrand48(void) {
    return (int)(unsigned)(next() >> 16);
}

long jrand48(unsigned short *parts) {
    return (int)(unsigned)(next_in(parts) >> 16);
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
