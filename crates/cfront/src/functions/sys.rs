//! `<sys/*.h>`.

use super::Effect::{Bytes, Fills, Object, Text};
use super::Meaning::Prints;
use super::{PROCESS, Row, in_c, is, number, outside, refused, status, up_to};

const EVENTS: &str = "lib/events.c";
const INPUT: &str = "lib/input.c";
const MAPS: &str = "maps memory, which is not modelled";

pub(super) const ROWS: &[Row] = &[
    status(&[Text(0), Fills(1)], "stat lstat statvfs statfs"),
    status(&[Fills(1)], "fstat fstatvfs fstatfs getrusage getrlimit"),
    status(&[Text(0)], "chmod mkdir mkfifo shm_unlink"),
    status(&[], "fchmod mlockall munlockall listen shutdown flock"),
    outside(&[], "umask"),
    number(&[Text(0)], "shm_open"),
    in_c("lib/devices.c", "ioctl"),
    status(&[Fills(0)], "sysinfo"),
    in_c("lib/places.c", "uname"),
    status(&[Object(1)], "setrlimit"),
    in_c("lib/children.c", "wait waitpid"),
    refused(PROCESS, "wait3 wait4 waitid"),
    in_c("lib/waits.c", "setitimer"),
    in_c("lib/mapping.c", "mmap mmap64 munmap"),
    refused(MAPS, "mremap mprotect"),
    status(&[], "msync madvise mlock munlock"),
    in_c("lib/limits.c", "get_nprocs get_nprocs_conf"),
    in_c("lib/files.c", "socket eventfd timerfd_create signalfd"),
    status(&[Object(2), Fills(3)], "timerfd_settime"),
    status(&[Fills(1)], "timerfd_gettime"),
    in_c(
        "lib/sockets.c",
        "socketpair getsockopt readv writev recvfrom accept accept4 getsockname getpeername",
    ),
    in_c(
        EVENTS,
        "epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait",
    ),
    in_c(EVENTS, "eventfd_read eventfd_write"),
    status(&[Bytes(1, 2)], "bind connect"),
    up_to(2, &[Bytes(1, 2)], "send"),
    up_to(2, &[Bytes(1, 2), Bytes(4, 5)], "sendto"),
    in_c(INPUT, "recv"),
    status(&[Bytes(3, 4)], "setsockopt"),
    in_c("lib/random.c", "getrandom"),
    in_c("lib/names.c", "prctl"),
    is(Prints(1), "syslog"),
];
