//! What a solver has done: figures for `--stats`, most of which do not depend on the machine.

use crate::Check;
use std::ops::AddAssign;
use std::time::Duration;

/// How many checks there were, how they ended, and how long they took together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// All checks.
    pub checks: u64,
    /// Those with a model.
    pub sat: u64,
    /// Those with a core.
    pub unsat: u64,
    /// Those that Z3 gave up.
    pub unknown: u64,
    /// Time spent inside checks.
    pub time: Duration,
}

impl Counters {
    pub(crate) fn count(&mut self, check: &Check, time: Duration) {
        self.checks += 1;
        self.time += time;
        match check {
            Check::Sat => self.sat += 1,
            Check::Unsat => self.unsat += 1,
            Check::Unknown(_) => self.unknown += 1,
        }
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.checks += other.checks;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.time += other.time;
    }
}
