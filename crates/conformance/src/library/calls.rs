//! Calls of functions of the library, and what is examined afterwards.

use super::{locks, strings, system};

/// C code that calls functions; `$s` and the like stand for generated arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The functions that it is about, with blanks between them.
    pub names: &'static str,
    /// The code.
    pub code: &'static str,
    /// Numbers that tell what happened.
    pub sees: &'static [&'static str],
    /// Is every number determined? Otherwise the native ones are some of those that are possible.
    pub exact: bool,
}

/// A call whose outcome is determined.
pub(super) const fn exact(
    names: &'static str,
    code: &'static str,
    sees: &'static [&'static str],
) -> Call {
    Call {
        names,
        code,
        sees,
        exact: true,
    }
}

/// A call whose outcome is open.
pub(super) const fn open(
    names: &'static str,
    code: &'static str,
    sees: &'static [&'static str],
) -> Call {
    Call {
        names,
        code,
        sees,
        exact: false,
    }
}

/// All of them.
pub fn calls() -> Vec<Call> {
    [CALLS, strings::CALLS, locks::CALLS, system::CALLS].concat()
}

const CALLS: &[Call] = &[
    exact(
        "strtol",
        "errno = 0; char *e = 0; const char *z = $z; long r = strtol(z, &e, $b);",
        &["r", "e ? e - z : -1", "errno"],
    ),
    exact(
        "strtoul",
        "errno = 0; char *e = 0; const char *z = $z; unsigned long r = strtoul(z, &e, $b);",
        &["r", "e ? e - z : -1", "errno"],
    ),
    exact(
        "strtoll strtoq",
        "errno = 0; char *e = 0; const char *z = $z; long long r = strtoll(z, &e, $b), q = strtoq(z, 0, $b);",
        &["r", "q", "e ? e - z : -1", "errno"],
    ),
    exact(
        "strtoull strtouq",
        "errno = 0; char *e = 0; const char *z = $z; unsigned long long r = strtoull(z, &e, $b), q = strtouq(z, 0, $b);",
        &["r", "q", "e ? e - z : -1", "errno"],
    ),
    exact(
        "strtoimax strtoumax",
        "errno = 0; char *e = 0; const char *z = $z; intmax_t r = strtoimax(z, &e, $b); uintmax_t u = strtoumax(z, 0, $b);",
        &["r", "u", "e ? e - z : -1", "errno"],
    ),
    exact(
        "atoi atol atoll",
        "const char *z = $z;",
        &["atoi(z)", "atol(z)", "atoll(z)"],
    ),
    exact(
        "strtod strtof",
        "char *e = 0, *f = 0; const char *z = $r; double r = strtod(z, &e); float q = strtof(z, &f); long d; int s; memcpy(&d, &r, 8); memcpy(&s, &q, 4);",
        &["d", "s", "e - z", "f - z"],
    ),
    exact(
        "strtod",
        "char *e = 0; const char *z = $z; strtod(z, &e);",
        &["e - z"],
    ),
    exact(
        "atof",
        "double r = atof($r);",
        &["r == strtod($r, 0)", "(long)(r * 1000)"],
    ),
    exact(
        "setjmp longjmp",
        "jmp_buf b; volatile int n = 0; int r = setjmp(b); if (n++ < $n) longjmp(b, $m);",
        &["r", "n"],
    ),
    exact(
        "__xpg_basename",
        "char *__xpg_basename(char *); char p[20] = $p; char *q = __xpg_basename(p);",
        &["digest(q, strlen(q) + 1)", "digest(p, 12)"],
    ),
    exact(
        "dirname",
        "char *dirname(char *); char p[20] = $p; char *q = dirname(p);",
        &["digest(q, strlen(q) + 1)", "digest(p, 12)"],
    ),
    exact(
        "__sched_cpualloc __sched_cpufree",
        "size_t n = CPU_ALLOC_SIZE(70); cpu_set_t *s = CPU_ALLOC(70); CPU_ZERO_S(n, s); CPU_SET_S(60 + $n, n, s); int r = CPU_ISSET_S(63, n, s) != 0; CPU_FREE(s);",
        &["n", "r"],
    ),
    exact(
        "abs labs llabs imaxabs",
        "",
        &["abs($i)", "labs($i)", "llabs($j)", "imaxabs($j)"],
    ),
    exact("div", "div_t r = div($i, 7);", &["r.quot", "r.rem"]),
    exact("ldiv", "ldiv_t r = ldiv($i, -3);", &["r.quot", "r.rem"]),
    exact(
        "lldiv imaxdiv",
        "lldiv_t r = lldiv($i, 5); imaxdiv_t q = imaxdiv($j, 2);",
        &["r.quot", "r.rem", "q.quot", "q.rem"],
    ),
    exact("ffs ffsl ffsll", "", &["ffs($i)", "ffsl($j)", "ffsll($i)"]),
    exact(
        "mbtowc mblen",
        "wchar_t w = 5; int r = mbtowc(&w, $s, $n); int l = mblen($t, $m);",
        &["r", "w", "l"],
    ),
    exact(
        "wctomb",
        "char b[8] = \"#######\"; int r = wctomb(b, $c);",
        &["r", "digest(b, 8)"],
    ),
    exact(
        "tolower toupper toascii",
        "",
        &["tolower($k)", "toupper($k)", "toascii($k)"],
    ),
    exact(
        "_tolower _toupper",
        "",
        &["(_tolower)('Q')", "(_toupper)('q')"],
    ),
    exact(
        "isdigit isupper islower isalpha isalnum",
        "int c = $k;",
        &[
            "!(isdigit)(c)",
            "!(isupper)(c)",
            "!(islower)(c)",
            "!(isalpha)(c)",
            "!(isalnum)(c)",
        ],
    ),
    exact(
        "isxdigit isspace isblank isprint isgraph",
        "int c = $k;",
        &[
            "!(isxdigit)(c)",
            "!(isspace)(c)",
            "!(isblank)(c)",
            "!(isprint)(c)",
            "!(isgraph)(c)",
        ],
    ),
    exact(
        "ispunct iscntrl isascii",
        "int c = $k;",
        &["!(ispunct)(c)", "!(iscntrl)(c)", "!(isascii)(c)"],
    ),
    open(
        "isdigit isalpha isspace isupper ispunct",
        "int c = $k, a = (isdigit)(c), b = (isalpha)(c);",
        &["a", "b"],
    ),
    exact("__ctype_b_loc", "int c = $k;", &["(*__ctype_b_loc())[c]"]),
    exact(
        "__ctype_tolower_loc __ctype_toupper_loc",
        "int c = $k;",
        &["(*__ctype_tolower_loc())[c]", "(*__ctype_toupper_loc())[c]"],
    ),
    exact(
        "fabs copysign",
        "double x = $x, y = $y;",
        &["bits(fabs(x))", "bits(copysign(x, y))"],
    ),
    exact(
        "fabsf copysignf",
        "float x = $x, y = $y;",
        &["bits(fabsf(x))", "bits(copysignf(x, y))"],
    ),
    exact(
        "fmin fmax",
        "double x = $x + 0.25, y = $y;",
        &["bits(fmin(x, y))", "bits(fmax(x, y))"],
    ),
    exact(
        "fminf fmaxf",
        "float x = 1.25f, y = -3.5f;",
        &["bits(fminf(x, y))", "bits(fmaxf(x, y))"],
    ),
    exact(
        "frexp",
        "int e = 99; double r = frexp($x, &e);",
        &["bits(r)", "e"],
    ),
    exact(
        "frexpf",
        "int e = 99; float r = frexpf(6.5f, &e);",
        &["bits(r)", "e"],
    ),
    exact(
        "modf",
        "double w = 9, r = modf($x, &w);",
        &["bits(r)", "bits(w)"],
    ),
    exact(
        "modff",
        "float w = 9, r = modff(-7.25f, &w);",
        &["bits(r)", "bits(w)"],
    ),
    exact(
        "sigemptyset sigaddset sigismember",
        "sigset_t s; sigemptyset(&s); errno = 0; int a = sigaddset(&s, $q), b = sigaddset(&s, 3), c = sigismember(&s, $q);",
        &[
            "a",
            "b",
            "c",
            "sigismember(&s, 3)",
            "sigismember(&s, 4)",
            "errno",
            "digest(&s, 8)",
        ],
    ),
    exact(
        "sigfillset sigdelset",
        "sigset_t s; int f = sigfillset(&s), d = sigdelset(&s, $q);",
        &[
            "f",
            "d",
            "sigismember(&s, 1)",
            "sigismember(&s, 32)",
            "digest(&s, 8)",
        ],
    ),
    exact(
        "sigisemptyset sigandset sigorset",
        "sigset_t s, t, u; sigemptyset(&s); sigemptyset(&t); sigemptyset(&u); sigaddset(&s, 5); sigaddset(&t, 9); int e = sigisemptyset(&u); sigandset(&u, &s, &t); int g = sigisemptyset(&u); sigorset(&u, &s, &t);",
        &["e", "g", "digest(&u, 8)"],
    ),
    exact(
        "nanosleep",
        "errno = 0; struct timespec t = { 0, $i }; int r = t.tv_nsec > 70000 ? 0 : nanosleep(&t, 0);",
        &["r", "errno"],
    ),
    exact(
        "nanosleep clock_nanosleep",
        "errno = 0; struct timespec t = { 0, 2000000000 }, u = { -1, 0 }; int r = nanosleep(&t, 0), e = errno, q = clock_nanosleep(CLOCK_MONOTONIC, 0, &u, 0);",
        &["r", "e", "q"],
    ),
    exact(
        "thrd_sleep",
        "struct timespec t = { 0, 1 }, u = { 0, -1 };",
        &["thrd_sleep(&t, 0)", "thrd_sleep(&u, 0) < -1"],
    ),
    exact("sleep", "", &["sleep(0)"]),
    open("usleep", "int r = usleep($n);", &["r"]),
    exact(
        "time",
        "time_t c = 0, r = time(&c);",
        &["r == c", "r > 0 || r == 0"],
    ),
    exact(
        "clock_gettime",
        "struct timespec t, u; int r = clock_gettime(CLOCK_MONOTONIC, &t), q = clock_gettime(CLOCK_MONOTONIC, &u); errno = 0; int bad = clock_gettime(77, &u) == -1 && errno == EINVAL;",
        &["r", "q", "bad"],
    ),
    open(
        "clock_gettime",
        "struct timespec t, u; clock_gettime(CLOCK_MONOTONIC, &t); clock_gettime(CLOCK_MONOTONIC, &u); int later = u.tv_sec > t.tv_sec || (u.tv_sec == t.tv_sec && u.tv_nsec >= t.tv_nsec);",
        &["later"],
    ),
    exact(
        "timespec_get",
        "struct timespec t; int r = timespec_get(&t, TIME_UTC), q = timespec_get(&t, 0);",
        &["r", "q"],
    ),
    exact(
        "gettimeofday",
        "struct timeval t; int r = gettimeofday(&t, 0), q = gettimeofday(0, 0);",
        &["r", "q"],
    ),
    exact(
        "raise gsignal",
        "errno = 0; int a = raise(0), b = raise(SIGURG), c = raise(99), e = errno, d = gsignal(SIGCHLD);",
        &["a", "b", "c", "e", "d"],
    ),
    exact(
        "getpid",
        "int a = getpid(), b = getpid();",
        &["a == b", "a > 0"],
    ),
    open(
        "kill killpg",
        "errno = 0; int a = kill(getpid(), 0), b = kill(0, SIGURG), c = kill(getpid(), SIGWINCH), d = killpg(-3, 0);",
        &["a", "b", "c", "d"],
    ),
    exact(
        "pthread_kill",
        "",
        &[
            "pthread_kill(pthread_self(), 0)",
            "pthread_kill(pthread_self(), 99)",
            "pthread_kill(pthread_self(), SIGURG)",
        ],
    ),
    exact("rand", "int r = rand();", &["r >= 0"]),
    exact(
        "srand random srandom",
        "srand(3); srandom(4); long r = random();",
        &["r >= 0"],
    ),
    exact("rand_r", "unsigned s = 3; int r = rand_r(&s);", &["r >= 0"]),
    exact(
        "lrand48 mrand48 srand48",
        "srand48($j); long l = lrand48(), m = mrand48(), k = lrand48();",
        &["l", "m", "k"],
    ),
    exact(
        "drand48",
        "srand48($i); double d = drand48(); long b; memcpy(&b, &d, 8);",
        &["b"],
    ),
    exact(
        "lcong48",
        "unsigned short p[7] = { $i, $n, $i, $i, $m, 9, $i }; lcong48(p); long l = lrand48(), m = mrand48(); srand48(1); long k = lrand48();",
        &["l", "m", "k"],
    ),
    exact(
        "erand48 nrand48 jrand48",
        "srand48(7); unsigned short p[3] = { $i, $n, $i }; double d = erand48(p); long b, n = nrand48(p), j = jrand48(p); memcpy(&b, &d, 8);",
        &["b", "n", "j", "p[0]", "p[1]", "p[2]"],
    ),
    exact(
        "strerror_r",
        "char b[24] = \"#######################\"; int e = 134 + $m; char *r = strerror_r(e, b, $n), *q = strerror_r(-$n - 1, b + 9, $m + 9);",
        &["r == b", "q == b + 9", "digest(b, 24)"],
    ),
    exact(
        "__xpg_strerror_r",
        "int __xpg_strerror_r(int, char *, size_t); char b[60] = \"#\"; int e = 134 + $n, r = __xpg_strerror_r(e, b, $m), s = __xpg_strerror_r(2, b + 20, 0);",
        &["r", "s", "digest(b, 20)"],
    ),
    open(
        "ioctl",
        "int f = dup(1), r = ioctl(f, FIOCLEX), bad = ioctl(-1, FIOCLEX); close(f);",
        &["r", "bad"],
    ),
    exact(
        "pthread_rwlockattr_setkind_np",
        "pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); int r = pthread_rwlockattr_setkind_np(&a, $n - 2), k; pthread_rwlockattr_getkind_np(&a, &k);",
        &["r", "k"],
    ),
    open(
        "getentropy getrandom",
        "unsigned char b[4]; errno = 0; int r = getentropy(b, 2); long g = getrandom(b, 3, 0); int bad = getentropy(b, 300);",
        &["r", "g", "bad"],
    ),
    exact(
        "arc4random_buf arc4random_uniform",
        "char b[4] = \"abc\"; arc4random_buf(b, 0); unsigned r = arc4random_uniform(1), q = arc4random_uniform(9);",
        &["digest(b, 4)", "r", "q < 9"],
    ),
    open(
        "read",
        "char b[4] = \"abc\"; errno = 0; long r = read(-1, b, 3); int e = errno;",
        &["r", "e", "digest(b, 4)"],
    ),
    open(
        "pread pread64 readlink recv",
        "char b[4] = \"abc\"; long r = pread(-1, b, 3, 0), q = pread64(-1, b, 3, 0), l = readlink(\"/\", b, 3);",
        &["r", "q", "l", "digest(b, 4)"],
    ),
    open(
        "fgets fgets_unlocked",
        "char b[4] = \"abc\"; char *r = fgets(b, 4, stdin), *q = fgets_unlocked(b, 4, stdin);",
        &["r == 0", "q == 0", "digest(b, 4)"],
    ),
    open(
        "fread fread_unlocked",
        "char b[4] = \"abc\"; unsigned long r = fread(b, 1, 3, stdin), q = fread_unlocked(b, 1, 0, stdin);",
        &["r", "q"],
    ),
    open(
        "fgetc getc getchar getc_unlocked getchar_unlocked fgetc_unlocked",
        "int r = (getc)(stdin), q = (getchar)();",
        &["r", "q"],
    ),
    open(
        "fopen fopen64 fdopen popen tmpfile tmpfile64 fclose pclose",
        "FILE *f = fopen(\"/\", \"w\"); FILE *g = tmpfile(); int r = g ? fclose(g) : -1;",
        &["f == 0", "r"],
    ),
    exact(
        "htonl htons ntohl ntohs",
        "unsigned l = (htonl)($i), m = (ntohl)($j); unsigned short s = (htons)($k), t = (ntohs)($n);",
        &["l", "m", "s", "t"],
    ),
    open(
        "printf fprintf dprintf",
        "int n = 0; int r = printf(\"abc%n %d %s %.2s\\n\", &n, 3, $s, $t);",
        &["n", "r"],
    ),
    exact(
        "sprintf",
        "char b[40] = \"#\"; int r = sprintf(b, \"%d|%u|%s|%c|%x|%ld%%\", $i, $n, $s, 'q', $k, (long)$j);",
        &["r", "digest(b, 40)"],
    ),
    exact(
        "snprintf",
        "char b[8] = \"#######\"; int r = snprintf(b, $n, \"%s-%d\", $s, $i), l = snprintf(0, 0, \"%hhd\", $k);",
        &["r", "l", "digest(b, 8)"],
    ),
    exact(
        "snprintf sprintf",
        "char b[60] = \"#\"; int r = sprintf(b, \"%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d\", $i % 999, $j % 99, $i % 99, $j, $k, $n, $m);",
        &["r", "digest(b, 60)"],
    ),
    exact(
        "snprintf sprintf",
        "char b[90] = \"#\"; int r = sprintf(b, \"%#x|%#o|%X|%#06X|%llu|%hhu|%ho|%zu|%-8lx|\", $i, $k, $j, $k, (long long)$i, $i, $j, (size_t)$n, (long)$j);",
        &["r", "digest(b, 90)"],
    ),
    exact(
        "snprintf sprintf",
        "char b[60] = \"#\"; int n = 0; int r = sprintf(b, \"%6s|%-6s|%.2s|%5.1s|%3c|%-3c|%n%*d|%-*d|%.*s\", $s, $t, $s, $t, 'x', 'y', &n, $n, 7, $m, 8, $m, $s);",
        &["r", "n", "digest(b, 60)"],
    ),
    exact(
        "snprintf",
        "char f[8] = \"%d-%s\"; char b[8] = \"#######\"; int r = snprintf(b, $n + 2, f, $i, $s), l = snprintf(0, 0, f + $n * 0, $k, $t);",
        &["r", "l", "digest(b, 8)"],
    ),
    open(
        "snprintf",
        "char b[40] = \"#\"; int r = snprintf(b, sizeof b, \"%.1f\", $x > 1e9 ? 1.0 : $x);",
        &["r"],
    ),
    exact(
        "vsnprintf",
        "char b[70] = \"#\"; int r = format_into(b, sizeof b, \"%d|%5u|%-4x|%s|%c|%08ld|%lld|%%|%.2s|%+hhd|%o\", $i, $n, $k, $s, 'q', (long)$j, (long long)$i, $t, $j, $m);",
        &["r", "digest(b, 70)"],
    ),
    exact(
        "vsprintf",
        "char b[70] = \"#\"; int n = 0; int r = format_text(b, \"%*d|%-*d|%.*s|%n%#x|% i|%zu\", $n, 5, $m, 6, $n, $s, &n, $k, $i, (size_t)$m);",
        &["r", "n", "digest(b, 70)"],
    ),
    exact(
        "asprintf vasprintf",
        "char *a = 0; int r = asprintf(&a, \"%s=%d\", $s, $i);",
        &["r", "digest(a, r + 1)"],
    ),
    exact(
        "qsort",
        "int a[4] = { $i, $j, $n, $k }; qsort(a, 4, sizeof *a, by_number);",
        &["a[0]", "a[1]", "a[2]", "a[3]"],
    ),
    exact(
        "qsort_r",
        "int a[3] = { $i, $j, $n }, d = 1; qsort_r(a, 3, sizeof *a, by_data, &d);",
        &["a[0]", "a[1]", "a[2]"],
    ),
    exact(
        "bsearch",
        "int a[4] = { -8, 0, 3, 7 }, k = $i; int *r = bsearch(&k, a, 4, sizeof *a, by_number);",
        &["r ? *r : 99"],
    ),
    exact(
        "realloc",
        "char *p = malloc(3); p[0] = 'a'; p[1] = 'b'; p[2] = $c; p = realloc(p, 2 + $n); char *q = realloc(0, 1); *q = 7; q = realloc(q, 5 + $m);",
        &["p[0]", "p[1]", "*q"],
    ),
    exact(
        "reallocarray",
        "int *p = reallocarray(0, 2, sizeof *p); p[0] = $i; p[1] = $j; p = reallocarray(p, 2 + $n, sizeof *p); errno = 0; void *q = reallocarray(0, (size_t)-1, 2);",
        &["p[0]", "p[1]", "!q", "errno"],
    ),
    exact(
        "getopt",
        "char a0[] = \"p\", a1[] = \"-ab\", a2[] = \"x\", a3[] = \"-c7\", a4[] = \"-z\", a5[] = \"--\", a6[] = \"-a\"; \
         char *v[] = { a0, a1, a2, a3, a4, a5, a6, 0 }; opterr = 0; optind = 0; int s = 0, c, n = 3 + $n; v[n] = n < 7 ? 0 : v[n]; \
         while ((c = getopt(n < 7 ? n : 7, v, \"abc:\")) != -1) s = s * 31 + c + (optarg ? *optarg : 0);",
        &[
            "s",
            "optind",
            "optopt",
            "v[1][0] + v[2][0] * 256",
            "v[2] == a2",
        ],
    ),
    exact(
        "getopt_long",
        "char a0[] = \"p\", a1[] = \"--al=5\", a2[] = \"x\", a3[] = \"--beta\", a4[] = \"-c\", a5[] = \"--zeta\", a6[] = \"--g\", a7[] = \"y\"; \
         char *v[] = { a0, a1, a2, a3, a4, a5, a6, a7, 0 }; static int g; g = 0; \
         struct option o[] = { {\"alpha\", 1, 0, 'A'}, {\"beta\", 2, 0, 'B'}, {\"gamma\", 0, &g, 9}, {0, 0, 0, 0} }; \
         opterr = 0; optind = 0; int s = 0, c, i = 3, n = 4 + $n; \
         while ((c = getopt_long(n < 8 ? n : 8, v, $m > 2 ? \"+c\" : \":c:\", o, &i)) != -1) s = s * 31 + c + i * 7 + (optarg ? *optarg : 0);",
        &["s", "g", "optind", "v[2][0]", "v[3][0]", "v[4][0]"],
    ),
    exact(
        "getopt_long_only",
        "char a0[] = \"p\", a1[] = \"-be\", a2[] = \"x\", a3[] = \"-ab\", a4[] = \"-alpha=k\", a5[] = \"-z\"; \
         char *v[] = { a0, a1, a2, a3, a4, a5, 0 }; \
         struct option o[] = { {\"alpha\", 1, 0, 'A'}, {\"beta\", 1, 0, 'B'}, {0, 0, 0, 0} }; \
         opterr = 0; optind = 0; int s = 0, c, n = 3 + $n; \
         while ((c = getopt_long_only(n < 6 ? n : 6, v, \"ab\", o, 0)) != -1) s = s * 31 + c + (optarg ? *optarg : 0);",
        &["s", "optind", "v[2][0]", "v[3][0]"],
    ),
    exact("atexit", "int r = atexit(at_end);", &["r"]),
    exact(
        "pthread_sigmask sigprocmask",
        "sigset_t s; sigemptyset(&s); int r = pthread_sigmask(SIG_BLOCK, &s, 0), q = pthread_sigmask(3 + $n, &s, 0), \
         t = pthread_sigmask(3 + $n, 0, 0); errno = 0; int p = sigprocmask(-1 - $n, &s, 0);",
        &["r", "q", "t", "p", "errno"],
    ),
    exact(
        "fflush setbuf setvbuf setbuffer",
        "setbuf(stdin, 0); int r = setvbuf(stdin, 0, _IONBF, 0); setbuffer(stdin, 0, 0);",
        &["r"],
    ),
    exact(
        "malloc calloc free",
        "int *p = malloc(8), *q = calloc(2, 4); p[1] = 3; int a = p != q, b = q[1], c = p[1]; free(p); free(q); free(0);",
        &["a", "b", "c"],
    ),
    exact(
        "aligned_alloc posix_memalign memalign valloc",
        "char *p = aligned_alloc(16, 64); void *q = 0; int r = posix_memalign(&q, 16, 5); char *v = valloc(3);",
        &[
            "(unsigned long)p % 16",
            "r",
            "(unsigned long)q % 16",
            "v != 0",
        ],
    ),
    exact("alloca", "char *p = alloca(4); p[3] = 5;", &["p[3]"]),
    exact(
        "realloc",
        "char *p = realloc(0, 4); p[3] = 5; int r = p[3]; free(p);",
        &["r"],
    ),
    exact(
        "__errno_location",
        "errno = 5; int *p = __errno_location();",
        &["*p"],
    ),
    exact(
        "atomic_thread_fence atomic_signal_fence",
        "atomic_thread_fence(5); atomic_signal_fence(5);",
        &["1"],
    ),
    exact(
        "sched_yield pthread_yield thrd_yield",
        "thrd_yield();",
        &["sched_yield()"],
    ),
];
