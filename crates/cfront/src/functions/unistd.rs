//! `<unistd.h>`.

use super::Effect::{Bytes, Fills, Text, Writes};
use super::Unprotected::Name;
use super::{
    Gives, Meaning, POINTS, PROCESS, Row, SIGNALS, WRITES, in_c, is, number, outside, refused,
    status, steps, text_or_null, up_to,
};

const CHILDREN: &str = "lib/children.c";
const INPUT: &str = "lib/input.c";
const MEMORY: &str = "lib/memory.c";
const PROCESSES: &str = "lib/process.c";
const SLEEP: &str = "lib/sleep.c";

pub(super) const ROWS: &[Row] = &[
    status(
        &[Text(0)],
        "access euidaccess eaccess chown lchown chdir unlink rmdir setlogin revoke acct chroot \
         truncate truncate64",
    ),
    refused(PROCESS, "execveat fexecve execle execvpe vfork _Fork"),
    in_c(CHILDREN, "fork daemon execve execv execl execvp execlp"),
    status(&[Text(1)], "faccessat fchownat unlinkat"),
    number(
        &[],
        "lseek lseek64 dup dup2 dup3 fpathconf getppid getpgrp __getpgid \
         getpgid setsid getsid ttyslot tcgetpgrp gettid",
    ),
    status(
        &[],
        "close fchown fchdir setpgid setpgrp setuid setreuid seteuid setgid setregid setegid \
         setresuid setresgid tcsetpgrp sethostid vhangup fsync syncfs ftruncate ftruncate64 \
         lockf lockf64 fdatasync close_range",
    ),
    outside(
        &[],
        "closefrom nice getuid geteuid getgid getegid group_member endusershell setusershell \
         gethostid sync",
    ),
    in_c(INPUT, "read pread pread64 readlink"),
    up_to(2, &[Bytes(1, 2)], "write pwrite pwrite64"),
    in_c("lib/sockets.c", "pipe pipe2"),
    in_c(
        "lib/limits.c",
        "sysconf __sysconf getpagesize getdtablesize",
    ),
    in_c("lib/places.c", "getcwd gethostname"),
    refused(SIGNALS, "ualarm"),
    in_c("lib/waits.c", "alarm pause"),
    in_c(SLEEP, "sleep usleep"),
    refused(
        WRITES,
        "getwd confstr getgroups ttyname_r readlinkat getlogin_r \
         getdomainname profil copy_file_range",
    ),
    refused(POINTS, "get_current_dir_name getusershell getpass crypt"),
    in_c("lib/getopt.c", "getopt"),
    steps("_exit"),
    number(&[Text(0)], "pathconf"),
    in_c(PROCESSES, "getpid"),
    status(&[Fills(0), Fills(1), Fills(2)], "getresuid getresgid"),
    text_or_null(&[Writes(Name)], "ttyname getlogin"),
    is(Meaning::Outside(Gives::Truth, &[]), "isatty"),
    status(&[Text(0), Text(1)], "link symlink"),
    status(&[Text(1), Text(3)], "linkat"),
    status(&[Text(0), Text(2)], "symlinkat"),
    status(&[Bytes(0, 1)], "sethostname setdomainname"),
    refused("moves the end of memory, which is not modelled", "brk sbrk"),
    in_c("lib/futex.c", "syscall"),
    in_c(MEMORY, "swab"),
    in_c("lib/random.c", "getentropy"),
];
