//! The end of an execution.

use super::{Search, trace};
use crate::concolic;
use crate::runner::Runner;
use semantics::{Property, Trace, Violation};

impl Search<'_, '_> {
    pub(super) fn finish(&mut self) -> Option<Trace> {
        let node = &self.nodes[self.events.len()];
        if node.begun {
            return None;
        }
        let sleeping = !node.sleep.is_empty();
        self.follow_inputs(!sleeping);
        self.note_races();
        if self.events.len() >= self.depth {
            self.counters.cut += 1;
            self.note_waiting();
            return None;
        }
        if sleeping {
            self.counters.blocked += 1;
            self.note_waiting();
            return None;
        }
        self.counters.executions += 1;
        if self.counters.executions.is_multiple_of(256) {
            let executions = self.counters.executions;
            self.budget.tell(|| format!("{executions} executions"));
        }
        let machine = self.runner.machine;
        if machine.property == Property::Deadlock && machine.is_deadlock(&self.runner.state) {
            return Some(trace(Violation::Deadlock, self.steps()));
        }
        if let Some(found) = self.check() {
            return Some(found);
        }
        self.note_waiting();
        self.prune();
        None
    }

    /// Notes for which other inputs the execution would be the same.
    fn follow_inputs(&mut self, complete: bool) {
        let Runner {
            machine,
            statics,
            oracle,
            ..
        } = &mut self.runner;
        if !oracle.space.is_empty() && !oracle.space.lost {
            let space = &mut oracle.space;
            concolic::follow(machine, statics, &self.events, complete, space);
        }
    }
}
