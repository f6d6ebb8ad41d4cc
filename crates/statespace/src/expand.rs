//! Everything that can happen in a state.

use crate::choices::{Way, for_each_way};
use crate::inputs::Inputs;
use crate::scratch::Scratch;
use semantics::{Machine, Open, Outcome, State, Step, Tid, Violation};
use xcfa::EdgeId;

/// A state that one step leads to.
pub struct Next<'s> {
    /// The state.
    pub state: &'s State,
    /// The thread that moved, and how.
    pub action: (Tid, EdgeId),
    /// Was it a spurious wake-up?
    pub spurious: bool,
    /// The answers to the questions of the step.
    pub answers: Vec<u64>,
}

/// What a state is like, beside the states that it leads to.
#[derive(Default)]
pub struct ExpansionSummary {
    /// A step that violates the property.
    pub violation: Option<(Violation, Step)>,
    /// Is a thread blocked, while no thread can move (except spuriously) and none is cut off?
    pub deadlock: bool,
    /// Threads that have to wait for others here, except for those that an atomic section of
    /// another thread keeps from moving: that section will end.
    pub blocked: Vec<Tid>,
    /// A step that could not be followed.
    pub beyond: Option<&'static str>,
    /// A step that goes otherwise in another layout of memory.
    pub open: Option<Open>,
}

/// The status of one thread in a state; cut off if neither.
#[derive(Clone, Copy, Default)]
struct Standing {
    /// It can move, and not only by a spurious wake-up.
    moves: bool,
    /// It has to wait.
    blocked: bool,
}

/// Takes every step from a state in every way.
pub fn expand(
    machine: &Machine<'_>,
    inputs: &mut Inputs,
    scratch: &mut Scratch,
    state: &State,
    found: impl FnMut(Next<'_>),
) -> ExpansionSummary {
    expand_threads(machine, inputs, scratch, state, state.runnable(), found)
}

/// Takes every step of some runnable threads in every way; a deadlock is one of these threads.
pub fn expand_threads(
    machine: &Machine<'_>,
    inputs: &mut Inputs,
    scratch: &mut Scratch,
    state: &State,
    threads: impl IntoIterator<Item = Tid>,
    mut found: impl FnMut(Next<'_>),
) -> ExpansionSummary {
    let mut summary = ExpansionSummary::default();
    scratch.forget();
    let (mut somebody_moves, mut somebody_is_cut) = (false, false);
    for tid in threads {
        let mut standing = Standing::default();
        for &edge in machine.edges(state, tid) {
            if !machine.guard_holds(state, tid, edge) {
                continue;
            }
            let action = (tid, edge);
            let visit = |way: Way<'_>| summary.note(way, action, &mut standing, &mut found);
            for_each_way(machine, inputs, state, scratch, action, visit);
        }
        match standing {
            Standing { moves: true, .. } => somebody_moves = true,
            Standing { blocked: true, .. } => summary.blocked.push(tid),
            _ => somebody_is_cut = true,
        }
    }
    summary.deadlock = !summary.blocked.is_empty() && !somebody_moves && !somebody_is_cut;
    summary
}

impl ExpansionSummary {
    fn note(
        &mut self,
        way: Way<'_>,
        action: (Tid, EdgeId),
        standing: &mut Standing,
        found: &mut impl FnMut(Next<'_>),
    ) -> Option<()> {
        self.open = self.open.or(way.open);
        match way.outcome {
            Outcome::Moved { spurious } => {
                standing.moves |= !spurious;
                standing.blocked |= spurious;
                found(Next {
                    state: way.state,
                    action,
                    spurious,
                    answers: way.answers,
                });
            }
            Outcome::Blocked => standing.blocked = true,
            Outcome::Cut(_) => {}
            Outcome::Violation(violation) => {
                let step = Step::new(action.0.0, action.1.0, way.answers);
                self.violation = Some((violation, step));
                return Some(());
            }
            Outcome::Beyond(what) => {
                standing.moves = true;
                self.beyond = Some(what);
            }
        }
        None
    }
}
