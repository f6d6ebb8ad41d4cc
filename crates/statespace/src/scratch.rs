//! A state to try steps in, restored after each with as little copying as possible.

use semantics::{State, Tid};
use xcfa::{Label, Xcfa};

/// What may differ from the state that steps start from.
#[derive(Clone, Copy)]
enum Dirty {
    Everything,
    /// Globals, memory, and this thread.
    Thread(Tid),
}

/// A copy of a state that steps are tried in.
pub struct Scratch {
    state: State,
    dirty: Dirty,
    /// By edge: can it change other threads than the one that takes it?
    reaches_others: Vec<bool>,
}

impl Scratch {
    /// For steps of this program.
    pub fn new(xcfa: &Xcfa, initial: State) -> Scratch {
        let reaches_others = xcfa
            .edges
            .iter()
            .map(|edge| edge.labels.iter().any(Label::reaches_others))
            .collect();
        Scratch {
            state: initial,
            dirty: Dirty::Everything,
            reaches_others,
        }
    }

    /// From now on steps start from another state.
    pub fn forget(&mut self) {
        self.dirty = Dirty::Everything;
    }

    /// Can this edge change other threads than the one that takes it?
    pub(crate) fn reaches_others(&self, edge: xcfa::EdgeId) -> bool {
        self.reaches_others[edge.0 as usize]
    }

    /// The state after the last step.
    pub(crate) fn result(&self) -> &State {
        &self.state
    }

    /// The state equal to `from`, for one step of `tid` along `edge`.
    pub fn for_step(&mut self, from: &State, tid: Tid, edge: xcfa::EdgeId) -> &mut State {
        match self.dirty {
            Dirty::Everything => self.state.clone_from(from),
            Dirty::Thread(changed) => {
                let index = changed.0 as usize;
                self.state.globals.clone_from(&from.globals);
                self.state.memory.clone_from(&from.memory);
                self.state.threads[index].clone_from(&from.threads[index]);
                self.state.holder = from.holder;
                self.state.ended = from.ended;
            }
        }
        self.dirty = match self.reaches_others(edge) {
            true => Dirty::Everything,
            false => Dirty::Thread(tid),
        };
        &mut self.state
    }
}
