//! How long an engine may take and how much memory it may use.

use crate::{Listener, Reason};
use semantics::Reached;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits, shared by everything that works on one task.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    interrupted: Arc<AtomicBool>,
    listener: Option<Listener>,
    reached: Option<Arc<Reached>>,
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Budget {
        Budget {
            started: Instant::now(),
            deadline: None,
            memory: None,
            interrupted: Arc::new(AtomicBool::new(false)),
            listener: None,
            reached: None,
        }
    }

    /// With a limit of wall-clock time from now.
    pub fn with_timeout(mut self, timeout: Duration) -> Budget {
        self.deadline = Instant::now().checked_add(timeout);
        self
    }

    /// With a limit in bytes of what the engine itself stores.
    pub fn with_memory(mut self, bytes: u64) -> Budget {
        self.memory = Some(bytes);
        self
    }

    /// With a listener that receives progress.
    pub fn with_listener(&self, listener: Listener) -> Budget {
        Budget {
            listener: Some(listener),
            ..self.clone()
        }
    }

    /// With a second listener, who hears the same.
    pub fn heard_by_also(&self, another: Listener) -> Budget {
        let before = self.listener.clone();
        self.with_listener(Listener::new(move |text| {
            if let Some(before) = &before {
                before.hear(text);
            }
            another.hear(text);
        }))
    }

    /// With notes of what engines execute of the program of the task.
    pub fn noting(&self, reached: Arc<Reached>) -> Budget {
        Budget {
            reached: Some(reached),
            ..self.clone()
        }
    }

    /// Where an engine notes what it executes of the program of the task, if somebody wants to know.
    pub fn reached(&self) -> Option<Arc<Reached>> {
        self.reached.clone()
    }

    /// Reports how far the work is, in a few words; cheap without a listener.
    pub fn tell(&self, progress: impl FnOnce() -> String) {
        if let Some(listener) = &self.listener {
            listener.hear(&progress());
        }
    }

    /// Set this flag, from a signal handler for example, to stop the work.
    pub fn interrupt_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupted)
    }

    /// The time since the work began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The same budget with no more time than this; an interrupt still stops both.
    pub fn at_most(&self, time: Duration) -> Budget {
        let end = Instant::now().checked_add(time);
        let mut less = self.clone();
        less.deadline = match (self.deadline, end) {
            (Some(deadline), Some(end)) => Some(deadline.min(end)),
            (deadline, end) => deadline.or(end),
        };
        less
    }

    /// How much time is left, if it is limited.
    pub fn remaining(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// The reason to stop now, if there is one; call it every few hundred steps with the bytes in use.
    pub fn exceeded(&self, bytes_in_use: u64) -> Option<Reason> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Reason::Interrupted);
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Some(Reason::OutOfTime);
        }
        self.memory
            .is_some_and(|limit| bytes_in_use > limit)
            .then_some(Reason::OutOfMemory)
    }
}

/// Resident memory of the process in bytes; 0 where the system does not provide it.
///
/// For engines whose memory is mostly a solver's, which cannot be counted from outside.
pub fn resident_bytes() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else {
        return 0;
    };
    let mut words = text.split(' ');
    let pages = words.nth(1).and_then(|word| word.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
