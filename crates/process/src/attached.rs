//! A child that writes to our own terminal.

use crate::{Ended, Usage, sys};
use std::io;
use std::process::{Command, Stdio};

/// A running child with its whole group. Dropped, it is killed.
#[derive(Debug)]
pub struct Attached {
    pid: u32,
    reaped: Option<(Ended, Usage)>,
}

impl Attached {
    /// Starts a child that reads nothing and writes where we write.
    pub fn start(command: &mut Command) -> io::Result<Attached> {
        sys::own_group(command);
        let child = command.stdin(Stdio::null()).spawn()?;
        Ok(Attached {
            pid: child.id(),
            reaped: None,
        })
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<Ended> {
        if self.reaped.is_none() && sys::has_ended(self.pid) {
            self.reap();
        }
        self.reaped.map(|(ended, _)| ended)
    }

    fn reap(&mut self) {
        // Not yet reaped, so its number is still taken and the signal reaches no other group.
        sys::kill_group(self.pid);
        let lost = (Ended::Signal(0), Usage::default());
        self.reaped = Some(sys::reap(self.pid).unwrap_or(lost));
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        if self.reaped.is_none() {
            self.reap();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn it_ends_by_itself_or_with_its_owner() {
        let mut child = Attached::start(Command::new("sh").args(["-c", "exit 3"])).unwrap();
        let start = Instant::now();
        while child.ended().is_none() && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(child.ended(), Some(Ended::Exit(3)));
        let mut child = Attached::start(Command::new("sleep").arg("60")).unwrap();
        assert_eq!(child.ended(), None);
        let pid = child.pid;
        drop(child);
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    }
}
