//! The search: one execution after the other, each different from all before it.
//!
//! The current execution is a stack of events. When an event is run, the races that it is the
//! later part of are found, and at the point before the earlier part it is noted that the other
//! order has to be run too. When no thread can go on, the search goes back to the last point
//! where something is left to be run.

mod advance;
mod back;
mod choose;
mod data_race;
mod finish;
mod order;
mod pays;
mod persist;
mod predict;
mod prune;
mod reversal;
mod rivals;
mod share;
mod waiting;

use crate::clocks::Clocks;
use crate::concolic::InputSpace;
use crate::config::{Config, Dpor};
use crate::counters::Counters;
use crate::ctp::Regions;
use crate::event::Event;
use crate::history::History;
use crate::node::{self, Node};
use crate::pool::{Point, Pool};
use crate::runner::Runner;
use crate::snapshots::Snapshots;
use crate::statics::Statics;
use crate::wakeup::Branch;
use advance::Advance;
use pays::Pays;
use semantics::{Machine, Open, Trace, Violation};
use std::sync::Arc;
use std::time::Duration;
use verdict::{Budget, Reason};

/// Limits are checked every so many events.
const CHECK_INTERVAL: u64 = 256;
/// How a search ended.
pub enum Found {
    /// Everything was run.
    Nothing,
    /// A violation.
    Violation(Trace),
    /// A limit was met.
    Limit(Reason),
}

/// A thread of the current execution.
#[derive(Debug, Default)]
struct ThreadLog {
    events: Vec<u32>,
    /// The event that started it.
    start: Option<u32>,
    /// It was found blocked, and nothing has happened since that could change that.
    blocked: bool,
}

/// A search under way.
pub struct Search<'m, 'x> {
    runner: Runner<'m, 'x>,
    dpor: Dpor,
    depth: usize,
    check: bool,
    prune: bool,
    pays: Pays,
    regions: Option<Regions>,
    budget: &'m Budget,
    history: History,
    events: Vec<Event>,
    clocks: Clocks,
    /// Memory for the clocks of the current event.
    scratch: (Vec<u32>, Vec<u32>),
    /// Lists of branches for later use.
    spare: Vec<Vec<Branch>>,
    /// Memory for a sequence of events.
    sequence: Vec<u32>,
    /// The points before and after the events; those behind the last are kept for later use.
    nodes: Vec<Node>,
    threads: Vec<ThreadLog>,
    snapshots: Snapshots,
    /// Other workers, if there are any.
    pool: Option<Arc<Pool>>,
    /// The first points of the execution, which other workers know too. What was run from them
    /// and has to be is noted there and not in `nodes`.
    path: Vec<Arc<Point>>,
    /// Races of the current execution whose later event may access other cells when it comes
    /// first: the earlier and the later event.
    races: Vec<(usize, usize)>,
    solver_time: Duration,
    /// How often something was tried.
    turns: u64,
    /// What was counted.
    pub counters: Counters,
}

impl<'m, 'x> Search<'m, 'x> {
    /// At the start of the program.
    pub fn new(
        machine: &'m Machine<'x>,
        statics: &'m Statics<'m>,
        config: &Config,
        depth: usize,
        budget: &'m Budget,
        space: InputSpace,
    ) -> Search<'m, 'x> {
        let runner = Runner::new(machine, statics, space, budget);
        Search {
            snapshots: Snapshots::new(&runner.state),
            runner,
            dpor: config.dpor,
            depth,
            check: config.check,
            prune: config.prune,
            pays: Pays::default(),
            regions: None,
            budget,
            history: History::default(),
            events: Vec::new(),
            clocks: Clocks::default(),
            scratch: Default::default(),
            sequence: Vec::new(),
            spare: Vec::new(),
            nodes: vec![Node {
                threads: 1,
                ..Node::default()
            }],
            threads: vec![ThreadLog::default()],
            pool: None,
            path: Vec::new(),
            races: Vec::new(),
            solver_time: Duration::ZERO,
            turns: 0,
            counters: Counters::default(),
        }
    }

    /// Why nothing can be concluded from having run everything.
    pub fn beyond(&self) -> Option<&'static str> {
        self.runner.beyond
    }

    /// A step that goes otherwise in another layout of memory.
    pub fn open(&self) -> Option<Open> {
        self.runner.oracle.open
    }

    /// Steps of the machine that were taken, also those that were taken again to get back.
    pub fn steps_taken(&self) -> u64 {
        self.runner.taken
    }

    /// Runs one execution to its end.
    #[cfg(test)]
    pub fn first_execution(&mut self) {
        while let Some(next) = self.pending().or_else(|| self.free_choice()) {
            let advanced = self.advance(next);
            assert!(matches!(advanced, Ok(Advance::Pushed | Advance::Blocked)));
        }
    }

    /// The steps of the current execution.
    fn steps(&self) -> Vec<semantics::Step> {
        let steps = self.events.iter().flat_map(|event| event.steps.iter());
        steps.cloned().collect()
    }

    /// The inputs that were tried, and what is known of others.
    pub fn into_inputs(self) -> InputSpace {
        self.runner.oracle.space
    }

    /// Runs everything that is not redundant, until a violation is found or a limit is met.
    pub fn run(&mut self) -> Found {
        loop {
            self.turns += 1;
            if (self.runner.is_over || self.turns.is_multiple_of(CHECK_INTERVAL))
                && let Some(found) = self.has_to_stop()
            {
                return found;
            }
            let next = self.pending().or_else(|| self.free_choice());
            let Some(next) = next else {
                if let Some(trace) = self.finish() {
                    return Found::Violation(trace);
                }
                self.share();
                if !self.back() {
                    return Found::Nothing;
                }
                continue;
            };
            if let Err(trace) = self.try_next(next) {
                return Found::Violation(trace);
            }
        }
    }

    fn has_to_stop(&self) -> Option<Found> {
        let reason = self.budget.exceeded(0).map(Found::Limit);
        let stopped = self.pool.as_ref().is_some_and(|pool| pool.is_stopped());
        reason.or(stopped.then_some(Found::Nothing))
    }

    /// Runs an event; was it put on the stack? If it violates the property, that is an error.
    fn try_next(&mut self, next: node::Next) -> Result<bool, Trace> {
        match self.advance(next)? {
            Advance::Violated(violation) => {
                let mut steps = self.steps();
                steps.extend_from_slice(&self.runner.steps);
                Err(trace(violation, steps))
            }
            advanced => Ok(matches!(advanced, Advance::Pushed)),
        }
    }
}

fn trace(violation: Violation, steps: Vec<semantics::Step>) -> Trace {
    Trace::new(violation, steps)
}
