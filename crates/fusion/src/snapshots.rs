//! A few states of the current execution, so that going back need not start at the beginning.
//!
//! There are at most as many as the execution is long, and they are used again: memory does not
//! grow with the number of executions.

use crate::runner::{Runner, Standings};
use semantics::State;

/// A state before some event.
struct Snapshot {
    index: usize,
    state: State,
    standings: Standings,
}

/// States of the current execution.
pub struct Snapshots {
    kept: Vec<Snapshot>,
    spare: Vec<Snapshot>,
    interval: usize,
}

impl Snapshots {
    /// For executions that start here.
    pub fn new(initial: &State) -> Snapshots {
        let size = initial.globals.len() * 8 + initial.memory.statics().len();
        Snapshots {
            kept: Vec::new(),
            spare: Vec::new(),
            interval: 8 + size / 128,
        }
    }

    /// Records the point before an event.
    pub fn note(&mut self, index: usize, runner: &Runner<'_, '_>) {
        let next = self
            .kept
            .last()
            .map_or(0, |last| last.index + self.interval);
        if index < next {
            return;
        }
        let mut copy = self.spare.pop().unwrap_or_else(|| Snapshot {
            index,
            state: runner.state.clone(),
            standings: Standings::default(),
        });
        copy.index = index;
        copy.state.clone_from(&runner.state);
        runner.save_standings(&mut copy.standings);
        self.kept.push(copy);
    }

    /// Goes back to the last snapshot up to an event; returns where that is.
    pub fn restore(&mut self, index: usize, runner: &mut Runner<'_, '_>) -> usize {
        while self.kept.last().is_some_and(|last| last.index > index) {
            self.spare.extend(self.kept.pop());
        }
        let last = self.kept.last().expect("the first state is always kept");
        runner.state.clone_from(&last.state);
        runner.restore_standings(&last.standings);
        last.index
    }
}
