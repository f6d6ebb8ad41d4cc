//! Calls of functions about time, files, connections and other processes.

use super::calls::{Call, exact, open};

pub(super) const CALLS: &[Call] = &[
    exact(
        "gmtime_r timegm",
        "time_t t = (time_t)$i * 86413 + $n; struct tm a; struct tm *p = gmtime_r(&t, &a); struct tm b = a; b.tm_wday = b.tm_yday = 0; time_t q = timegm(&b);",
        &[
            "p == &a",
            "a.tm_sec",
            "a.tm_min",
            "a.tm_hour",
            "a.tm_mday",
            "a.tm_mon",
            "a.tm_year",
            "a.tm_wday",
            "a.tm_yday",
            "a.tm_isdst",
            "a.tm_gmtoff",
            "q == t",
            "b.tm_wday == a.tm_wday",
            "b.tm_yday == a.tm_yday",
        ],
    ),
    exact(
        "timegm",
        "struct tm a = { .tm_sec = $i % 100000, .tm_min = $q, .tm_hour = -$n, .tm_mday = $q, .tm_mon = $q, .tm_year = $n + 99 }; time_t t = timegm(&a);",
        &[
            "t",
            "a.tm_sec",
            "a.tm_min",
            "a.tm_hour",
            "a.tm_mday",
            "a.tm_mon",
            "a.tm_year",
            "a.tm_yday",
        ],
    ),
    exact(
        "gmtime difftime",
        "time_t t = 951782400; struct tm *p = gmtime(&t);",
        &[
            "p->tm_mday",
            "p->tm_mon",
            "p->tm_year",
            "difftime(7, 3) == 4.0",
            "difftime($n, $m) < 0",
        ],
    ),
    exact(
        "strftime",
        "time_t t = (time_t)$i + $n * 12345678; struct tm a; gmtime_r(&t, &a); char b[40] = \"\"; size_t r = strftime(b, 40, \"%Y-%m-%d %H:%M:%S|%a %b %e\", &a);",
        &["r", "digest(b, r + 1)"],
    ),
    exact(
        "strftime",
        "time_t t = (time_t)$i * 3 + $n * 12345678; struct tm a; gmtime_r(&t, &a); char b[200] = \"\"; size_t r = strftime(b, 200, \"%A %B %C %F %T %D %R %r %I %p %j %u %w %y %c %x %X %h %n%t%% %z %Z\", &a);",
        &["r", "digest(b, r + 1)"],
    ),
    exact(
        "strftime",
        "struct tm a = { .tm_year = 100, .tm_mday = 1 }; char b[8]; size_t r = strftime(b, $n + 3, \"%Y\", &a), q = strftime(b, 0, \"%Y\", &a);",
        &["r", "q"],
    ),
    exact(
        "asctime asctime_r",
        "time_t t = (time_t)$i + $n * 12345678; struct tm a; gmtime_r(&t, &a); char b[26]; char *r = asctime_r(&a, b), *q = asctime(&a);",
        &["r == b", "digest(b, 26)", "digest(q, 26)"],
    ),
    exact(
        "sysconf",
        "",
        &[
            "sysconf(_SC_PAGESIZE)",
            "sysconf(_SC_CLK_TCK)",
            "sysconf(_SC_IOV_MAX)",
            "sysconf(_SC_HOST_NAME_MAX)",
        ],
    ),
    open(
        "getcwd gethostname",
        "char b[64], c[64], d[1]; char *r = getcwd(b, 64); int h = gethostname(c, 64); errno = 0; char *q = getcwd(d, 0); int e = errno;",
        &["r == b", "b[0]", "h", "c[0]", "q == 0", "e"],
    ),
    open(
        "mkstemp mkstemps mkdtemp mkostemp",
        "char a[] = \"abc\", b[] = \"/nowhere/xXXXXXX\", c[] = \"/nowhere/XXXXXX.c\"; errno = 0; int r = mkstemp(a), e = errno, q = mkstemp(b), s = mkstemps(c, 2), o = mkostemp(a, 0); char *d = mkdtemp(a);",
        &["r", "e", "q", "s", "o", "d == 0", "a[0]", "c[15]"],
    ),
    open(
        "getsockopt readv",
        "char b[16]; socklen_t n = 16; struct iovec v = { b, 4 }; int f = getsockopt(-1, SOL_SOCKET, SO_ERROR, b, &n); long h = readv(-1, &v, 1);",
        &["f", "h", "n"],
    ),
    open(
        "mmap munmap",
        "char *p = mmap(0, 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); p[7] = 3; int s = munmap(p, 0);",
        &["p[7]", "p[8]", "s"],
    ),
    exact(
        "signal sigaction raise bsd_signal",
        "struct sigaction n = { .sa_handler = count_signal }; signals = 0; int a = sigaction(SIGUSR1, &n, 0); raise(SIGUSR1); raise(SIGUSR1); int c = signals; signal(SIGUSR1, SIG_IGN); raise(SIGUSR1); errno = 0; int b = sigaction(SIGKILL, &n, 0), e = errno; bsd_signal(SIGUSR1, SIG_IGN); raise(SIGUSR1);",
        &["a", "c", "signals", "b", "e"],
    ),
    open(
        "pipe pipe2 socketpair",
        "int a[2], b[2], c[2]; int p = pipe(a), q = pipe2(b, 0), r = socketpair(AF_UNIX, SOCK_STREAM, 0, c);",
        &["p", "q", "r", "a[0] == a[1]", "a[0] >= 0", "c[1] >= 0"],
    ),
    open(
        "select pselect",
        "fd_set s; FD_ZERO(&s); int p[2]; pipe(p); FD_SET(0, &s); FD_CLR(0, &s); struct timeval t = { 0, 1 }; struct timespec u = { 0, 1 }, z = { -1, 0 }; int a = select(1, &s, 0, 0, &t), b = pselect(1, &s, 0, 0, &u, 0); errno = 0; int c = select(-1, 0, 0, 0, &t), e = errno, d = pselect(0, 0, 0, 0, &z, 0);",
        &["a", "b", "c", "e", "d", "t.tv_sec", "FD_ISSET(0, &s)"],
    ),
    open(
        "poll ppoll",
        "struct pollfd f[2] = { { -1, POLLIN, 7 }, { 1000, POLLIN, 0 } }; struct timespec t = { 0, 1 }; int a = poll(f, 1, 0), b = poll(f + 1, 1, 0), c = ppoll(f, 2, &t, 0);",
        &["a", "b", "c", "f[0].revents", "f[1].revents"],
    ),
    open(
        "getaddrinfo freeaddrinfo",
        "struct addrinfo h = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST }, *l = 0; int r = getaddrinfo(\"127.0.0.1\", \"80\", &h, &l), f = r == 0 ? l->ai_family : 0, n = r == 0 ? (int)l->ai_addrlen : 0, s = r == 0 ? l->ai_addr->sa_family : 0; if (r == 0) freeaddrinfo(l);",
        &["r", "f", "n", "s"],
    ),
    open(
        "fcntl",
        "struct flock l = { 0 }; errno = 0; int a = fcntl(-1, F_GETFL), b = fcntl(-1, F_SETFL, 0), c = fcntl(-1, F_GETLK, &l), e = errno;",
        &["a", "b", "c", "e"],
    ),
    open(
        "wait waitpid",
        "errno = 0; int s = 0, a = wait(&s), e = errno, b = waitpid(-1, 0, WNOHANG);",
        &["a", "b", "s"],
    ),
    open(
        "execv execvp execve execl execlp",
        "char *v[] = { \"x\", 0 }; int a = execv(\"/nowhere\", v), b = execvp(\"/nowhere\", v), c = execve(\"/nowhere\", v, v), d = execl(\"/nowhere\", \"x\", \"y\", (char *)0), e = execlp(\"/nowhere\", \"x\", (char *)0);",
        &["a", "b", "c", "d", "e"],
    ),
    exact(
        "sigaction raise",
        "struct sigaction n = { .sa_handler = raise_again }; signals = 0; sigaction(SIGUSR2, &n, 0); raise(SIGUSR2); int c = signals; n.sa_handler = count_signal; n.sa_flags = SA_RESETHAND; struct sigaction p; sigaction(SIGUSR2, &n, 0); raise(SIGUSR2); sigaction(SIGUSR2, 0, &p);",
        &["c", "signals", "p.sa_handler == SIG_DFL"],
    ),
    open(
        "open open64 openat openat64 creat creat64 socket eventfd",
        "int a = open(\"/nowhere/x\", O_RDONLY), b = open64(\"/nowhere/x\", 0), c = openat(-1, \"x\", 0), d = openat64(-1, \"x\", 0), e = creat(\"/nowhere/x\", 0), f = creat64(\"/nowhere/x\", 0), g = socket(-1, 0, 0), h = eventfd(0, 0);",
        &["a", "b", "c", "d", "e", "f", "g", "h > 2"],
    ),
    open(
        "accept accept4 getsockname getpeername recvfrom",
        "struct sockaddr_in s; socklen_t n = sizeof s; char t[4]; int a = accept(-1, (struct sockaddr *)&s, &n), b = accept4(-1, 0, 0, 0), c = getsockname(-1, (struct sockaddr *)&s, &n), d = getpeername(-1, (struct sockaddr *)&s, &n); long e = recvfrom(-1, t, 4, 0, 0, 0);",
        &["a", "b", "c", "d", "e", "n"],
    ),
    open(
        "epoll_create epoll_create1 epoll_ctl",
        "struct epoll_event e = { EPOLLIN, { .fd = 7 } }; errno = 0; int a = epoll_create(0), n = errno, w = epoll_create1(0), v = eventfd(1, 0), c = epoll_ctl(w, EPOLL_CTL_ADD, v, &e); errno = 0; int d = epoll_ctl(w, EPOLL_CTL_ADD, v, &e), m = errno, f = epoll_ctl(w, EPOLL_CTL_DEL, v, 0);",
        &["a", "n", "w > 2", "c", "d", "m", "f"],
    ),
    open(
        "epoll_wait epoll_pwait",
        "struct epoll_event e = { EPOLLIN, { .fd = 7 } }, f[2]; int w = epoll_create1(0), v = eventfd(1, 0); epoll_ctl(w, EPOLL_CTL_ADD, v, &e); errno = 0; int z = epoll_wait(w, f, 0, 0), n = errno; f[0].data.fd = 0; int a = epoll_pwait(w, f, 1, 0, 0);",
        &[
            "z",
            "n",
            "a",
            "f[0].data.fd",
            "a > 0 ? (int)f[0].events : 0",
        ],
    ),
    open(
        "eventfd_read eventfd_write",
        "eventfd_t n = 0; int v = eventfd(3, 0), a = eventfd_read(v, &n), b = eventfd_write(v, 1);",
        &["a", "b", "n > 0"],
    ),
    open(
        "syscall",
        "unsigned f = 3; errno = 0; long a = syscall(SYS_futex, &f, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0); int e = errno; long b = syscall(SYS_futex, &f, FUTEX_WAKE, 1), c = syscall(SYS_gettid);",
        &["a", "e", "b", "c > 0"],
    ),
    open(
        "prctl",
        "char n[16] = \"\"; int a = prctl(PR_SET_NAME, \"worker\"), b = prctl(PR_GET_NAME, n); errno = 0; int c = prctl(-1), e = errno;",
        &["a", "b", "n[15]", "c", "e"],
    ),
];
