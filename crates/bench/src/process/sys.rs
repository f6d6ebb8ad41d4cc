//! The system calls that the standard library does not offer. The only unsafe code of the crate.
#![allow(unsafe_code)]

use super::{Ended, Usage};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

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

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}
