//! A few states of the execution at hand, so that going back need not start at the beginning.
//!
//! There are at most as many as the execution is long, and they are used again: memory does not
//! grow with the number of executions.

use semantics::State;

/// A state before some event.
struct Snapshot {
    index: usize,
    steps: usize,
    state: State,
}

/// States of the execution at hand.
pub struct Snapshots {
    kept: Vec<Snapshot>,
    spare: Vec<State>,
    interval: usize,
}

impl Snapshots {
    /// For executions that start here.
    pub fn new(initial: &State) -> Snapshots {
        let size = initial.globals.len() * 8 + initial.memory.statics().len();
        Snapshots {
            kept: Vec::new(),
            spare: Vec::new(),
            interval: 4 + size / 128,
        }
    }

    /// Is told of the state before an event, and the steps up to there.
    pub fn note(&mut self, index: usize, steps: usize, state: &State) {
        let next = self
            .kept
            .last()
            .map_or(0, |last| last.index + self.interval);
        if index < next {
            return;
        }
        let mut copy = self.spare.pop().unwrap_or_else(|| state.clone());
        copy.clone_from(state);
        self.kept.push(Snapshot {
            index,
            steps,
            state: copy,
        });
    }

    /// Goes back to the last snapshot up to an event; returns where that is, and how many steps
    /// there are before it.
    pub fn restore(&mut self, index: usize, state: &mut State) -> (usize, usize) {
        while self.kept.last().is_some_and(|last| last.index > index) {
            self.spare.extend(self.kept.pop().map(|last| last.state));
        }
        let last = self.kept.last().expect("the first state is always kept");
        state.clone_from(&last.state);
        (last.index, last.steps)
    }
}
