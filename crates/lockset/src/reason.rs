//! Why two steps cannot race.

use std::collections::BTreeMap;
use verdict::Stats;

/// What keeps two conflicting steps of different threads apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// One of them comes before any thread is started.
    BeforeThreads,
    /// They are never taken side by side: one thread has ended, or is not there yet.
    StartOrJoin,
    /// Both threads hold a lock, one of them not only for reading.
    Lock,
    /// Both threads hold the one token of a semaphore.
    Semaphore,
    /// A counter of threads that have not finished has been seen at zero.
    Countdown,
    /// Each thread touches memory that was allocated for it.
    OwnMemory,
    /// Threads with different arguments or indices touch different bytes.
    DistinctIndex,
}

impl Reason {
    /// As it is written in certificates.
    pub fn name(self) -> &'static str {
        self.counter().trim_start_matches("pairs apart: ")
    }

    /// As it is written in statistics.
    fn counter(self) -> &'static str {
        match self {
            Reason::BeforeThreads => "pairs apart: before threads",
            Reason::StartOrJoin => "pairs apart: start or join",
            Reason::Lock => "pairs apart: lock",
            Reason::Semaphore => "pairs apart: semaphore",
            Reason::Countdown => "pairs apart: countdown",
            Reason::OwnMemory => "pairs apart: own memory",
            Reason::DistinctIndex => "pairs apart: distinct index",
        }
    }
}

/// How many pairs are kept apart for which reason.
#[derive(Default)]
pub struct Tally(BTreeMap<Reason, u64>);

impl Tally {
    pub fn add(&mut self, reason: Reason) {
        *self.0.entry(reason).or_default() += 1;
    }

    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub fn report(&self, stats: &mut Stats) {
        stats.set("conflicting pairs", self.total());
        for (reason, &count) in &self.0 {
            stats.set(reason.counter(), count);
        }
    }
}
