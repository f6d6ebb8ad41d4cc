//! Searches for errors, races and deadlocks in other orders of an execution's events.

use super::{Search, trace};
use crate::concolic::InputSpace;
use crate::ctp::{self, Regions, TraceProgram};
use crate::event::Answers;
use crate::runner::{Ran, Runner};
use semantics::{Property, Status, Step, Tid, Trace, Violation};
use std::time::{Duration, Instant};

/// A question takes no longer than this, and than that with pruning.
const SHORT_QUESTION: Duration = Duration::from_secs(1);
const LONGEST_QUESTION: Duration = Duration::from_secs(20);

/// A thread that moves on after a deadlock of others does so no more often than this.
const MOST_MOVES: usize = 10_000;

impl Search<'_, '_> {
    /// A violation in another order of the events of this execution, if it is time to look for one.
    pub(super) fn check(&mut self) -> Option<Trace> {
        if !self.check || !self.is_time_to_check() {
            return None;
        }
        let start = Instant::now();
        let found = match self.runner.machine.property {
            Property::Reach => self.predict_error(),
            Property::Race => self.predict_race(),
            Property::Deadlock => self.predict_deadlock(),
            _ => None,
        };
        self.solver_time += start.elapsed();
        // What the machine does not repeat does not count.
        let machine = self.runner.machine;
        let found = found.filter(|found| semantics::replay(machine, found).is_ok());
        self.counters.predicted += u64::from(found.is_some());
        found
    }

    /// The first few executions, and then ever fewer: most of them have the same events. Where
    /// whole groups of executions are pruned, those that are run have different events.
    fn is_time_to_check(&self) -> bool {
        let executions = self.counters.executions;
        let time = self.budget.elapsed() / 4 + Duration::from_secs(1);
        let few = executions <= 4 || executions.is_power_of_two();
        self.pays.did_last() || (few && self.solver_time < time)
    }

    fn predict_error(&mut self) -> Option<Trace> {
        let mut program = self.trace_program()?;
        let calls = &mut self.counters.solver_calls;
        let (order, last) = ctp::violating_order(&mut program, calls)?;
        let (mut runner, mut steps) = self.rearranged(&program, &order);
        let op = &program.ops[last];
        match runner.run(Tid(op.tid), &op.answers) {
            Ran::Violated(violation) => {
                steps.extend_from_slice(&runner.steps);
                Some(trace(violation, steps))
            }
            _ => None,
        }
    }

    /// Two threads that stand before conflicting accesses.
    fn predict_race(&mut self) -> Option<Trace> {
        let mut program = self.trace_program()?;
        let pairs = self.racing_pairs(&program);
        let calls = &mut self.counters.solver_calls;
        let (order, pair) = ctp::standing_order(&mut program, &pairs, calls)?;
        let (_, mut steps) = self.rearranged(&program, &order);
        for &op in &pairs[pair] {
            let event = &self.events[program.ops[op].event];
            steps.extend(event.steps.first().cloned());
        }
        Some(trace(Violation::DataRace, steps))
    }

    /// Threads that each are before a lock that the next one holds; the others run until they wait.
    fn predict_deadlock(&mut self) -> Option<Trace> {
        let mut program = self.trace_program()?;
        let cycles = self.lock_cycles(&program);
        let calls = &mut self.counters.solver_calls;
        let (order, _) = ctp::standing_order(&mut program, &cycles, calls)?;
        let (mut runner, mut steps) = self.rearranged(&program, &order);
        let mut moves = 0;
        let mut tid = 0;
        // A round in which no thread takes a step is the end.
        let mut idle = 0;
        while moves < MOST_MOVES && idle < runner.state.threads.len() {
            tid = (tid + 1) % runner.state.threads.len() as u32;
            let running = runner.state.thread(Tid(tid)).status == Status::Running;
            let ran = match running {
                true => runner.run(Tid(tid), &Answers::new()),
                false => Ran::Blocked,
            };
            match ran {
                Ran::Moved => {
                    steps.extend_from_slice(&runner.steps);
                    (moves, idle) = (moves + 1, 0);
                }
                Ran::Blocked => idle += 1,
                // The run is cut off, or ends otherwise.
                _ => return None,
            }
        }
        Some(trace(Violation::Deadlock, steps))
    }

    /// Runs events in an order; the runner at the end, and the steps.
    fn rearranged(&self, program: &TraceProgram, order: &[usize]) -> (Runner<'_, '_>, Vec<Step>) {
        let machine = self.runner.machine;
        let space = InputSpace::of(machine.xcfa);
        let mut runner = Runner::new(machine, self.runner.statics, space, self.budget);
        let mut steps = Vec::new();
        for &at in order {
            let op = &program.ops[at];
            runner.run(Tid(op.tid), &op.answers);
            steps.extend_from_slice(&runner.steps);
        }
        (runner, steps)
    }

    /// The trace program of the current execution.
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
        // With pruning on, the search waits for the answer.
        let patience = match self.prune {
            true => LONGEST_QUESTION,
            false => SHORT_QUESTION,
        };
        let budget = self.budget.at_most(patience);
        ctp::build(machine, statics, regions, &self.events, state, &budget)
    }
}
