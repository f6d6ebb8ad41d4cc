//! The system calls that the standard library does not offer. The only unsafe code of the crate.
#![allow(unsafe_code)]

use crate::{Ended, Usage};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// Makes the child lead a group of its own and die with the thread that starts it.
pub fn own_group(command: &mut Command) {
    command.process_group(0);
    #[cfg(target_os = "linux")]
    // SAFETY: between fork and exec only `prctl` is called, which is async-signal-safe.
    unsafe {
        command.pre_exec(|| {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0 {
                Ok(())
            } else {
                Err(io::Error::last_os_error())
            }
        });
    }
}

/// Makes the child write a few bytes to a file before it becomes another program.
pub fn write_before_exec(command: &mut Command, file: std::fs::File, bytes: &'static [u8]) {
    // SAFETY: between fork and exec only `write` is called, which is async-signal-safe.
    unsafe {
        command.pre_exec(move || {
            let written = libc::write(file.as_raw_fd(), bytes.as_ptr().cast(), bytes.len());
            match written == bytes.len() as isize {
                true => Ok(()),
                false => Err(io::Error::last_os_error()),
            }
        });
    }
}

/// Makes the child enter a Landlock domain before it becomes another program.
#[cfg(target_os = "linux")]
pub fn enter_domain(command: &mut Command, ruleset: OwnedFd) {
    // SAFETY: between fork and exec only `prctl` and another system call without pointers are made.
    unsafe {
        command.pre_exec(move || {
            let alone = libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
            let fd = ruleset.as_raw_fd();
            match alone && libc::syscall(libc::SYS_landlock_restrict_self, fd, 0) == 0 {
                true => Ok(()),
                false => Err(io::Error::last_os_error()),
            }
        });
    }
}

/// Limits of the child: seconds of processor time, bytes of address space and of a file.
pub fn limit(command: &mut Command, cpu_s: u64, memory: u64, file: u64) {
    let limits = [
        (libc::RLIMIT_CPU, cpu_s),
        (libc::RLIMIT_AS, memory),
        (libc::RLIMIT_FSIZE, file),
        (libc::RLIMIT_CORE, 0),
    ];
    // SAFETY: between fork and exec only `setrlimit` is called, which is async-signal-safe.
    unsafe {
        command.pre_exec(move || {
            for (which, most) in limits {
                let limit = libc::rlimit {
                    rlim_cur: most as libc::rlim_t,
                    rlim_max: most as libc::rlim_t,
                };
                if libc::setrlimit(which, &limit) != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            Ok(())
        });
    }
}

/// The unit of the times in `/proc`.
pub fn ticks_per_second() -> f64 {
    // SAFETY: a plain system call without pointers.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    if ticks > 0 { ticks as f64 } else { 100.0 }
}

/// Has the child ended? It stays there to be reaped.
pub fn has_ended(pid: u32) -> bool {
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: `siginfo_t` is plain data for which all zeros is a value, and `waitid` only fills it.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        libc::waitid(libc::P_PID, pid, &mut info, options) == 0 && info.si_pid() != 0
    }
}

/// Kills every process of the group; that none is left is no error.
pub fn kill_group(leader: u32) {
    // SAFETY: a plain system call without pointers.
    unsafe {
        libc::killpg(leader as libc::pid_t, libc::SIGKILL);
    }
}

/// Kills one process.
pub fn kill(pid: u32) {
    // SAFETY: a plain system call without pointers.
    unsafe {
        libc::kill(pid as libc::pid_t, libc::SIGKILL);
    }
}

/// A pipe: its end for reading and its end for writing.
pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: the array has room for the two numbers, which we own.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// Reading from here returns at once when there is nothing.
pub fn unblock(end: &OwnedFd) -> io::Result<()> {
    // SAFETY: a plain system call on a descriptor that is open.
    match unsafe { libc::fcntl(end.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Waits until there is something to read, or nobody is left who could write, and no longer than this.
pub fn wait_for_bytes(end: &impl AsRawFd, most: Duration) {
    let mut wanted = libc::pollfd {
        fd: end.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // At least a millisecond, so that nobody who asks again and again keeps a core busy.
    let most = most.as_millis().clamp(1, i32::MAX as u128) as i32;
    // SAFETY: the one structure is a live local variable.
    unsafe {
        libc::poll(&mut wanted, 1, most);
    }
}

/// Forks: the number of the child, or nothing in the child, which dies with its parent and leaves
/// Ctrl-C to it.
pub fn fork() -> io::Result<Option<u32>> {
    // SAFETY: see the module `fork` for what the child may do; the calls in it have no pointers.
    unsafe {
        let parent = libc::getpid();
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                libc::signal(libc::SIGINT, libc::SIG_IGN);
                libc::signal(libc::SIGTERM, libc::SIG_DFL);
                libc::signal(libc::SIGHUP, libc::SIG_DFL);
                #[cfg(target_os = "linux")]
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                // The parent may have died before that.
                if libc::getppid() != parent {
                    libc::_exit(1);
                }
                Ok(None)
            }
            pid => Ok(Some(pid as u32)),
        }
    }
}

/// Ends this process at once, without cleaning up what its parent or other threads use.
pub fn exit_now(status: i32) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(status) }
}

/// Waits for the child and says how it ended and what it used (but for the time on the clock).
pub fn reap(pid: u32) -> io::Result<(Ended, Usage)> {
    let mut status = 0;
    // SAFETY: `rusage` is plain data for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live local variables of the right types.
        let got = unsafe { libc::wait4(pid as libc::pid_t, &mut status, 0, &mut usage) };
        if got == pid as libc::pid_t {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let ended = if libc::WIFSIGNALED(status) {
        Ended::Signal(libc::WTERMSIG(status))
    } else {
        Ended::Exit(libc::WEXITSTATUS(status))
    };
    let cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    Ok((
        ended,
        Usage {
            wall_s: 0.0,
            cpu_s,
            rss_kb: usage.ru_maxrss as u64,
        },
    ))
}

/// What this process has used so far, without its children and without the time on the clock.
pub fn own_usage() -> Usage {
    // SAFETY: `rusage` is plain data for which all zeros is a value, and `getrusage` only fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    Usage {
        wall_s: 0.0,
        cpu_s: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        rss_kb: usage.ru_maxrss as u64,
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}
