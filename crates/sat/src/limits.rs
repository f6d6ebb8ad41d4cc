//! Stopping a search when its budget is used up.

use cadical_sys::Terminator;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use verdict::{Budget, Reason};

/// How often time and memory are examined.
const INTERVAL: Duration = Duration::from_millis(50);

/// The solver polls it all the time; it reads the budget now and then.
pub struct Limits {
    budget: Budget,
    next: Instant,
    stopped: Rc<Cell<Option<Reason>>>,
}

impl Limits {
    pub fn new(budget: Budget) -> Limits {
        Limits {
            budget,
            next: Instant::now() + INTERVAL,
            stopped: Rc::default(),
        }
    }

    /// Says, after the search, why it was stopped.
    pub fn stopped(&self) -> Rc<Cell<Option<Reason>>> {
        Rc::clone(&self.stopped)
    }

    pub fn check_now(&self) -> Option<Reason> {
        self.budget.exceeded(verdict::resident_bytes())
    }
}

impl Terminator for Limits {
    fn terminated(&mut self) -> bool {
        let now = Instant::now();
        if now < self.next {
            return false;
        }
        self.next = now + INTERVAL;
        let reason = self.check_now();
        let stop = reason.is_some();
        self.stopped.set(reason);
        stop
    }
}
