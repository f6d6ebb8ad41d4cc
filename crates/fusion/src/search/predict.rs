//! Looking for errors in other orders of an execution's events.

use super::{Search, trace};
use crate::concolic::InputSpace;
use crate::ctp::{self, Regions, TraceProgram};
use crate::runner::{Ran, Runner};
use semantics::{Property, Tid, Trace};
use std::time::{Duration, Instant};

impl Search<'_, '_> {
    /// An error in another order of the events of this execution, if it is time to look for one.
    pub(super) fn check(&mut self) -> Option<Trace> {
        let reach = self.runner.machine.property == Property::Reach;
        if !self.check || !reach || !self.is_time_to_check() {
            return None;
        }
        let start = Instant::now();
        let found = self.predict();
        self.solver_time += start.elapsed();
        found
    }

    /// The first few executions, and then ever fewer: most of them have the same events. Where
    /// whole groups of executions are pruned, those that are run have different events.
    fn is_time_to_check(&self) -> bool {
        let executions = self.counters.executions;
        let time = self.budget.elapsed() / 4 + Duration::from_secs(1);
        let few = executions <= 4 || executions.is_power_of_two() || self.prune;
        few && self.solver_time < time
    }

    fn predict(&mut self) -> Option<Trace> {
        let mut program = self.trace_program()?;
        let calls = &mut self.counters.solver_calls;
        let (order, last) = ctp::violating_order(&mut program, calls)?;
        let machine = self.runner.machine;
        let space = InputSpace::of(machine.xcfa);
        let mut runner = Runner::new(machine, self.runner.statics, space);
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

    /// The trace program of the execution at hand.
    pub fn trace_program(&mut self) -> Option<TraceProgram> {
        let Runner {
            machine,
            statics,
            state,
            ..
        } = &self.runner;
        let regions = self
            .regions
            .get_or_insert_with(|| Regions::of(machine.xcfa));
        ctp::build(machine, statics, regions, &self.events, state)
    }
}
