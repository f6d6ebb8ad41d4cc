//! Functions in which a thread acts on a request to cancel it (POSIX.1-2017, 2.9.5.2).

/// Does a thread that calls a function act on a request that is there?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancellation {
    /// Always.
    Always,
    /// The standard leaves it open.
    Sometimes,
}

/// Points of cancellation.
const ALWAYS: &str = "accept accept4 clock_nanosleep close cnd_timedwait cnd_wait connect creat epoll_pwait \
     epoll_wait fdatasync fsync lockf msync nanosleep open openat pause poll ppoll pread pread64 \
     pselect pthread_cond_clockwait pthread_cond_timedwait pthread_cond_wait pthread_join pthread_timedjoin_np pthread_clockjoin_np \
     pthread_testcancel pwrite pwrite64 read readv recv recvfrom recvmsg select sem_clockwait \
     sem_timedwait sem_wait send sendmsg sendto sigsuspend sigtimedwait sigwait sigwaitinfo sleep \
     system thrd_join thrd_sleep usleep wait waitid waitpid write writev";

/// Functions that may be some.
const SOMETIMES: &str = "access asctime asctime_r catclose catopen chmod chown closedir closelog ctermid ctime ctime_r \
     dlclose dlopen dprintf fchmod fchown fclose fcntl fflush fgetc fgetpos fgets fopen fprintf fputc \
     fputs fread freopen fscanf fseek fseeko fsetpos fstat ftell ftello fwrite getaddrinfo getc \
     getc_unlocked getchar getchar_unlocked getcwd getdelim gethostname getline getlogin \
     getnameinfo getpwnam getpwuid gmtime isatty link localtime localtime_r lseek lstat mkdir mkdtemp \
     mkfifo mkstemp mktime opendir openlog pclose perror popen posix_openpt printf psignal pthread_rwlock_rdlock \
     pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_wrlock putc putc_unlocked \
     putchar putchar_unlocked puts readdir readlink remove rename rewind rmdir scanf seekdir semop \
     setlocale setvbuf stat strerror strerror_r strftime symlink sync syslog tmpfile ttyname tzset uname \
     ungetc unlink vdprintf vfprintf vprintf vsyslog warn warnx";

/// What is known about a function.
pub(crate) fn cancellation(name: &str) -> Option<Cancellation> {
    let plain = name.strip_prefix("__isoc99_").unwrap_or(name);
    let within = |names: &str| names.split_ascii_whitespace().any(|it| it == plain);
    match () {
        () if within(ALWAYS) => Some(Cancellation::Always),
        () if within(SOMETIMES) => Some(Cancellation::Sometimes),
        () => None,
    }
}
