//! What a step changed, for display.

use super::{Change, ReplayStep, Run, word_of_lock};
use crate::naming::Named;
use crate::{Access, Cell, State, Step, Tid};
use xcfa::{EdgeId, Label, Scope};

impl Run<'_, '_> {
    pub(super) fn describe(&self, step: &Step, before: &State, accesses: &[Access]) -> ReplayStep {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        ReplayStep {
            thread: step.thread,
            edge,
            span: self.machine.xcfa[edge].span,
            changes: self.changes(tid, edge, before, accesses),
            held: self.held_names(step.thread, before),
            ends: ends_thread(&self.machine.xcfa[edge]),
        }
    }

    fn changes(&self, tid: Tid, edge: EdgeId, before: &State, accesses: &[Access]) -> Vec<Change> {
        let mut changes = Vec::new();
        // A shared variable that is set to what it was may be the point of the story.
        let mut note = |named: Named, shared: bool, always: bool, old: u64, new: u64| {
            // The words of a lock say nothing that the locks held do not say better.
            if (always || old != new) && word_of_lock(&named.name).is_none() {
                let old = named.show(self.machine, before, old);
                let new = named.show(self.machine, &self.state, new);
                changes.push(Change {
                    name: named.name,
                    old,
                    new,
                    shared,
                });
            }
        };
        let xcfa = self.machine.xcfa;
        let same_frame = self.state.thread(tid).base == before.thread(tid).base;
        // What is set twice in one step has changed once.
        let mut noted: Vec<Cell> = Vec::new();
        for var in xcfa[edge].labels.iter().filter_map(Label::defines) {
            let hidden = xcfa[var].temp || (!same_frame && xcfa[var].scope != Scope::Global);
            if hidden || noted.contains(&Cell::Var(var)) {
                continue;
            }
            noted.push(Cell::Var(var));
            let old = self.machine.value(before, tid, var);
            let new = self.machine.value(&self.state, tid, var);
            let shared = xcfa.is_global(var);
            note(Named::var(self.machine, var), shared, shared, old, new);
        }
        for access in accesses.iter().filter(|access| access.write) {
            let Cell::Bytes {
                start,
                len: len @ 1..=8,
            } = access.cell
            else {
                continue;
            };
            if noted.contains(&access.cell) {
                continue;
            }
            noted.push(access.cell);
            let layout = &self.machine.layout;
            let old = before
                .memory
                .load(layout, start, len)
                .map(|loaded| loaded.bits);
            let new = self
                .state
                .memory
                .load(layout, start, len)
                .map(|loaded| loaded.bits);
            if let (Ok(old), Ok(new)) = (old, new) {
                note(
                    Named::bytes(self.machine, &self.state, start, len),
                    true,
                    false,
                    old,
                    new,
                );
            }
        }
        changes
    }
}

fn ends_thread(edge: &xcfa::Edge) -> bool {
    let mut labels = edge.labels.iter();
    labels.any(|label| matches!(label, Label::ThreadExit(_)))
}
