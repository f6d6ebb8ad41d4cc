//! Several threads make graphs together.
//!
//! What follows from a graph depends on that graph alone: nobody remembers any, so that nothing is shared but the
//! graphs that wait to be continued. Each worker has a stack of its own; where another one has nothing to do, it gives away
//! the oldest half of it, from which most is still to come.

use crate::Exec;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where workers leave what others may continue.
pub(crate) struct Pool {
    workers: usize,
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// How many workers have nothing to do; a hint, which may be old.
    idle: AtomicUsize,
    stopped: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    open: Vec<Exec>,
    idle: usize,
}

impl Pool {
    pub fn new(workers: usize, first: Exec) -> Pool {
        Pool {
            workers,
            waiting: Mutex::new(Waiting {
                open: vec![first],
                idle: 0,
            }),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // A worker that has panicked ends all; what it has left does not matter.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A graph to go on from; waits for one. `None` once there is nothing left to do.
    pub fn take(&self) -> Option<Exec> {
        let mut waiting = self.lock();
        waiting.idle += 1;
        loop {
            if self.stopped() || (waiting.idle == self.workers && waiting.open.is_empty()) {
                self.stop();
                return None;
            }
            if let Some(exec) = waiting.open.pop() {
                waiting.idle -= 1;
                self.idle.store(waiting.idle, Ordering::Relaxed);
                return Some(exec);
            }
            self.idle.store(waiting.idle, Ordering::Relaxed);
            let waited = self.changed.wait(waiting);
            waiting = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives away the older half of a stack, if somebody has nothing to do.
    pub fn share(&self, stack: &mut Vec<Exec>) {
        if stack.len() < 2 || self.idle.load(Ordering::Relaxed) == 0 {
            return;
        }
        let given = stack.drain(..stack.len() / 2);
        self.lock().open.extend(given);
        self.changed.notify_all();
    }

    /// Has somebody found what was searched for, or given up?
    pub fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Nobody goes on.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

/// A worker that ends for whatever reason before all is done leaves no one waiting for it.
pub(crate) struct StopOnExit<'a>(pub &'a Pool);

impl Drop for StopOnExit<'_> {
    fn drop(&mut self) {
        let _waiting = self.0.lock();
        self.0.stop();
    }
}
