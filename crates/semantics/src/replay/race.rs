//! Replaying data races: two steps that are both possible, or that nothing orders.

use super::copies::Copies;
use super::{Mismatch, Replay, Run};
use crate::failure::{Failure, RacingAccess, What};
use crate::naming::Named;
use crate::{Access, Cell, Clocks, Outcome, Race, State, Status, Tid, Trace, Violation};
use xcfa::{EdgeId, Span};

impl Run<'_, '_> {
    /// A race: the last two steps can both be taken in the same state, and conflict there.
    pub(super) fn adjacent_race(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        let [before @ .., first, second] = &trace.steps[..] else {
            return Err(Mismatch::NoViolation);
        };
        self.advance(before, 0)?;
        let state = self.state.clone();
        let running = |state: &State, tid| state.thread(tid).status == Status::Running;
        let mut both = Vec::new();
        for (offset, step) in [first, second].into_iter().enumerate() {
            self.state.clone_from(&state);
            let (outcome, host) = self.attempt(step, running, before.len() + offset)?;
            let Outcome::Moved { .. } = outcome else {
                return Err(Mismatch::NoViolation);
            };
            let described = self.describe(step, &mut Copies::of(&state));
            both.push((described, host.accesses));
        }
        self.state = state.clone();
        let conflict = both[0]
            .1
            .iter()
            .find_map(|a| both[1].1.iter().find(|b| a.conflicts(b)).map(|b| (*a, *b)));
        let (a, b) = conflict.ok_or(Mismatch::NoViolation)?;
        let spans = [both[0].0.mark_race(&a), both[1].0.mark_race(&b)];
        let failure = self.race(&state, [(a, spans[0]), (b, spans[1])]);
        let failing = spans[1];
        // Both are about to happen: neither has, nor what comes after them.
        let name = Named::cell(self.namer(&state), a.cell).name;
        both[0].0.cut_before(&a, name.clone());
        both[1].0.cut_before(&b, name);
        self.steps.extend(both.into_iter().map(|(step, _)| step));
        let racing = [before.len(), before.len() + 1];
        Ok(self.finish(failure, Some(failing), Some(racing)))
    }

    /// A race: the last step conflicts with an earlier one, and nothing orders the two.
    pub(super) fn unordered_race(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        let mut clocks = Clocks::default();
        let mut past: Vec<Vec<Access>> = Vec::new();
        for (index, step) in trace.steps.iter().enumerate() {
            let before = self.state.clone();
            let host = self.advance(std::slice::from_ref(step), index)?;
            let action = (Tid(step.thread), EdgeId(step.edge));
            let seen = host.seen(before.threads.len() as u32);
            let Some(Race {
                accesses: [a, b], ..
            }) = clocks.step(self.machine, action, &seen)
            else {
                past.push(host.accesses);
                continue;
            };
            // The clocks blame the last access of its kind.
            let first = past.iter().rposition(|accesses| accesses.contains(&a));
            let earlier = match first {
                Some(first) => self.steps[first].mark_race(&a),
                None => self.machine.xcfa[a.edge].span,
            };
            let failing = self.steps[index].mark_race(&b);
            let failure = self.race(&before, [(a, earlier), (b, failing)]);
            let racing = first.map(|first| [first, index]);
            return Ok(self.finish(failure, Some(failing), racing));
        }
        Err(Mismatch::NoViolation)
    }

    pub(super) fn race(&self, state: &State, accesses: [(Access, Span); 2]) -> Failure {
        let name = Named::cell(self.namer(state), accesses[0].0.cell).name;
        let place = self.place(accesses[1].1);
        let object = match accesses[0].0.cell {
            Cell::Bytes { start, .. } => self.heap.find(start),
            Cell::Var(_) => None,
        };
        let object = object.map(|it| self.object_name(it.obj, it.base));
        let accesses = accesses.map(|(access, span)| RacingAccess {
            thread: self.thread_name(access.tid.0),
            place: self.place(span),
            write: access.write,
            atomic: access.atomic,
            held: self.held_names(access.tid.0, state),
        });
        Failure {
            violation: Violation::DataRace,
            place,
            what: What::Race {
                name,
                object,
                accesses,
            },
            values: Vec::new(),
        }
    }
}
