//! A child that is a copy of this process.
//!
//! Fork it from the main thread while no other thread holds a lock that the child needs: a child
//! has only the thread that forked. This is safe here because other threads of this
//! program only sleep (the one that waits for Ctrl-C), and that the C library makes its allocator
//! usable in a forked child.

use crate::descendants::processor_time;
use crate::{Ended, Usage, memory, sys};
use std::fs::File;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// A running child. Dropped, it is killed.
#[derive(Debug)]
pub struct Fork {
    pid: u32,
    pipe: File,
    started: Instant,
    /// What has come through the pipe since the last end of line.
    partial: Vec<u8>,
    reaped: Option<(Ended, Usage)>,
}

impl Fork {
    /// Starts a child that does `work`, writes to its end of a pipe, and exits with the status
    /// that `work` returns; a panic ends it with status 101.
    pub fn start(work: impl FnOnce(&mut File) -> i32) -> io::Result<Fork> {
        let (reading, writing) = sys::pipe()?;
        match sys::fork()? {
            None => {
                drop(reading);
                let mut pipe = File::from(writing);
                let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    let status = work(&mut pipe);
                    let _ = pipe.flush();
                    status
                }));
                sys::exit_now(done.unwrap_or(101))
            }
            Some(pid) => {
                drop(writing);
                sys::unblock(&reading)?;
                Ok(Fork {
                    pid,
                    pipe: File::from(reading),
                    started: Instant::now(),
                    partial: Vec::new(),
                    reaped: None,
                })
            }
        }
    }

    /// The complete lines that it has written since the last call.
    pub fn lines(&mut self) -> Vec<String> {
        let mut bytes = [0; 1 << 16];
        loop {
            match self.pipe.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => self.partial.extend(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Nothing there yet, or a pipe that is broken and will stay empty.
                Err(_) => break,
            }
        }
        let Some(end) = self.partial.iter().rposition(|&byte| byte == b'\n') else {
            return Vec::new();
        };
        let rest = self.partial.split_off(end + 1);
        let whole = std::mem::replace(&mut self.partial, rest);
        let text = String::from_utf8_lossy(&whole).into_owned();
        text.lines().map(str::to_owned).collect()
    }

    /// Waits until it writes something or ends, and no longer than this.
    pub fn wait(&self, most: Duration) {
        sys::wait_for_bytes(&self.pipe, most);
    }

    /// Has it ended? What it wrote can still be read.
    pub fn has_ended(&self) -> bool {
        self.reaped.is_some() || sys::has_ended(self.pid)
    }

    /// Its processor time, with that of its children.
    pub fn processor_time(&self) -> Duration {
        processor_time(self.pid)
    }

    /// Its resident memory in bytes.
    pub fn resident(&self) -> u64 {
        memory::resident(self.pid)
    }

    /// Kills it, if it is still running, and waits for its end.
    pub fn kill(mut self, why: Ended) -> (Ended, Usage) {
        let ended = self.has_ended();
        sys::kill(self.pid);
        let (how, usage) = self.reap();
        (if ended { how } else { why }, usage)
    }

    fn reap(&mut self) -> (Ended, Usage) {
        let (pid, started) = (self.pid, self.started);
        *self.reaped.get_or_insert_with(|| {
            let lost = (Ended::Signal(0), Usage::default());
            let (ended, usage) = sys::reap(pid).unwrap_or(lost);
            let wall_s = started.elapsed().as_secs_f64();
            (ended, Usage { wall_s, ..usage })
        })
    }
}

impl Drop for Fork {
    fn drop(&mut self) {
        if self.reaped.is_none() {
            sys::kill(self.pid);
            self.reap();
        }
    }
}
