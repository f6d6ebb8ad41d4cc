//! The end of an execution.

use super::{Search, trace};
use crate::ctp;
use crate::runner::{Ran, Runner};
use semantics::{Property, Tid, Trace, Violation};
use std::time::{Duration, Instant};

impl Search<'_, '_> {
    pub(super) fn finish(&mut self) -> Option<Trace> {
        let node = &self.nodes[self.events.len()];
        if node.begun {
            return None;
        }
        let sleeping = !node.sleep.is_empty();
        self.note_races();
        if self.events.len() >= self.depth {
            self.counters.cut += 1;
            self.note_waiting();
            return None;
        }
        if sleeping {
            self.counters.blocked += 1;
            return None;
        }
        self.counters.executions += 1;
        let machine = self.runner.machine;
        if machine.property == Property::Deadlock && machine.is_deadlock(&self.runner.state) {
            return Some(trace(Violation::Deadlock, self.steps()));
        }
        if self.check && machine.property == Property::Reach && self.is_time_to_check() {
            let start = Instant::now();
            let found = self.predict();
            self.solver_time += start.elapsed();
            if found.is_some() {
                return found;
            }
        }
        self.note_waiting();
        None
    }

    /// The first few executions, and then ever fewer: most of them have the same events.
    pub(super) fn is_time_to_check(&self) -> bool {
        let executions = self.counters.executions;
        let time = self.budget.elapsed() / 4 + Duration::from_secs(1);
        (executions <= 4 || executions.is_power_of_two()) && self.solver_time < time
    }

    /// An error in another order of the events of this execution.
    pub(super) fn predict(&mut self) -> Option<Trace> {
        let Runner {
            machine, statics, ..
        } = &self.runner;
        let mut program = ctp::build(machine, &self.events)?;
        let calls = &mut self.counters.solver_calls;
        let (order, last) = ctp::violating_order(&mut program, calls)?;
        let mut runner = Runner::new(machine, statics);
        let mut steps = Vec::new();
        for at in order {
            let op = &program.ops[at];
            runner.run(Tid(op.tid), &op.answers);
            steps.extend_from_slice(&runner.steps);
        }
        let op = &program.ops[last];
        match runner.run(Tid(op.tid), &op.answers) {
            Ran::Violated(violation) => {
                self.counters.predicted += 1;
                steps.extend_from_slice(&runner.steps);
                Some(trace(violation, steps))
            }
            _ => None,
        }
    }
}
