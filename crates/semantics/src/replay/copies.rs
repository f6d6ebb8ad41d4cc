//! Copies of the state before a step.
//!
//! A step that is described is run again, label by label, from the state before it. The copies for that are not made anew
//! at each step: they follow the replay, and only what a step can have changed is copied, so that an execution with
//! many threads costs as much as it is long.

use crate::{Script, State, Step, Tid};
use xcfa::{EdgeId, Label, Xcfa};

/// What a step can have changed, beside globals, memory, and which threads there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    tid: Tid,
    joined: Option<Tid>,
    everything: bool,
}

impl Extent {
    /// That of a step, with what a host has seen of it.
    pub fn of(xcfa: &Xcfa, step: &Step, host: &Script) -> Extent {
        let labels = &xcfa[EdgeId(step.edge)].labels;
        let joins = labels.iter().any(|it| matches!(it, Label::Join { .. }));
        let signals = labels.iter().any(|it| matches!(it, Label::Signal { .. }));
        Extent {
            tid: Tid(step.thread),
            joined: host.joined,
            everything: signals || (joins && host.joined.is_none()),
        }
    }
}

/// The state before a step, and room to run the step again.
#[derive(Clone, Debug)]
pub(super) struct Copies {
    /// The state before the step.
    pub before: State,
    /// The same, between two uses.
    pub spare: [State; 3],
    pub extent: Extent,
}

impl Copies {
    /// For one step from a state; nothing is known about the step.
    pub fn of(before: &State) -> Copies {
        let extent = Extent {
            tid: Tid(0),
            joined: None,
            everything: true,
        };
        Copies {
            before: before.clone(),
            spare: [(); 3].map(|()| before.clone()),
            extent,
        }
    }

    /// The spare copies have been used.
    pub fn restore(&mut self) {
        for spare in &mut self.spare {
            copy(spare, &self.before, self.extent);
        }
    }

    /// The step has led to this state.
    pub fn follow(&mut self, state: &State) {
        copy(&mut self.before, state, self.extent);
        self.restore();
    }
}

/// Makes a state equal to another one that differs by steps of this extent.
pub(super) fn copy(into: &mut State, from: &State, extent: Extent) {
    if extent.everything {
        into.clone_from(from);
        return;
    }
    into.globals.clone_from(&from.globals);
    into.memory.clone_from(&from.memory);
    into.holder = from.holder;
    into.ended = from.ended;
    into.threads.truncate(from.threads.len());
    let known = into.threads.len();
    into.threads.extend_from_slice(&from.threads[known..]);
    for tid in [Some(extent.tid), extent.joined].into_iter().flatten() {
        if let Some(thread) = from.threads.get(tid.0 as usize) {
            into.threads[tid.0 as usize].clone_from(thread);
        }
    }
    debug_assert!(
        from.threads.len() > 8 || into == from,
        "a step changes what its extent says"
    );
}
