//! Who moves next.

use semantics::Tid;
use statespace::Random;
use std::collections::BTreeSet;

/// Keeps the threads that may be able to move, and chooses among them.
///
/// Law: `next` gives every thread once for every time that it was added.
pub trait Scheduler {
    /// A thread may be able to move. The one that has just moved is added last.
    fn add(&mut self, tid: Tid, random: &mut Random);

    /// Who is to move next, if anybody is left.
    fn next(&mut self, random: &mut Random) -> Option<Tid>;
}

/// A thread that has moved this often in a row is passed over: it may wait for another one.
const MOST_IN_A_ROW: u32 = 2_000;

/// Stays with the thread that moved last.
pub struct Staying {
    ready: Vec<Tid>,
    last: Option<Tid>,
    in_a_row: u32,
    /// Of so many steps one is another thread's; 0 if the thread goes on as long as it can.
    leaves: usize,
}

impl Staying {
    /// Another thread moves at one of so many steps; 0: at none.
    pub fn new(leaves: usize) -> Staying {
        Staying {
            ready: Vec::new(),
            last: None,
            in_a_row: 0,
            leaves,
        }
    }
}

impl Scheduler for Staying {
    fn add(&mut self, tid: Tid, _: &mut Random) {
        self.ready.push(tid);
    }

    fn next(&mut self, random: &mut Random) -> Option<Tid> {
        let goes_on = self.last.is_some()
            && self.ready.last() == self.last.as_ref()
            && self.in_a_row < MOST_IN_A_ROW
            && (self.leaves == 0 || random.below(self.leaves) != 0);
        if goes_on {
            self.in_a_row += 1;
            return self.ready.pop();
        }
        if self.ready.is_empty() {
            return None;
        }
        let next = self.ready.swap_remove(random.below(self.ready.len()));
        self.last = Some(next);
        self.in_a_row = 0;
        Some(next)
    }
}

/// Lets the thread with the highest priority move, and changes priorities a few times.
pub struct Priorities {
    /// By thread.
    priorities: Vec<u64>,
    ready: BTreeSet<(u64, Tid)>,
    /// The steps at which the thread on top becomes the lowest, the next one last.
    changes: Vec<usize>,
    steps: usize,
    /// The next priority that is lower than all others.
    lowest: u64,
    last: Option<Tid>,
    in_a_row: u32,
}

impl Priorities {
    /// With so many changes during the first `length` steps.
    pub fn new(changes: usize, length: usize, random: &mut Random) -> Priorities {
        let at = |_| random.below(length.max(1));
        let mut changes: Vec<usize> = (0..changes).map(at).collect();
        changes.sort_unstable_by(|a, b| b.cmp(a));
        Priorities {
            priorities: Vec::new(),
            ready: BTreeSet::new(),
            changes,
            steps: 0,
            lowest: u64::from(u32::MAX),
            last: None,
            in_a_row: 0,
        }
    }

    fn sink(&mut self, tid: Tid) {
        self.lowest -= 1;
        self.priorities[tid.0 as usize] = self.lowest;
        self.ready.insert((self.lowest, tid));
    }
}

impl Scheduler for Priorities {
    fn add(&mut self, tid: Tid, random: &mut Random) {
        while self.priorities.len() <= tid.0 as usize {
            let high = u64::from(u32::MAX) + (random.bits() >> 32);
            self.priorities.push(high);
        }
        self.ready.insert((self.priorities[tid.0 as usize], tid));
    }

    fn next(&mut self, _: &mut Random) -> Option<Tid> {
        self.steps += 1;
        let (_, mut next) = self.ready.pop_last()?;
        while self.changes.last().is_some_and(|&at| at <= self.steps) {
            self.changes.pop();
            self.sink(next);
            (_, next) = self.ready.pop_last()?;
        }
        self.in_a_row = match self.last == Some(next) {
            true => self.in_a_row + 1,
            false => 0,
        };
        if self.in_a_row >= MOST_IN_A_ROW {
            self.in_a_row = 0;
            self.sink(next);
            (_, next) = self.ready.pop_last()?;
        }
        self.last = Some(next);
        Some(next)
    }
}
