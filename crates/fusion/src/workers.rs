//! One round of the search: all schedules with one choice of inputs, by one or several workers.

use crate::cells::Register;
use crate::concolic::InputSpace;
use crate::config::Config;
use crate::counters::Counters;
use crate::pool::Pool;
use crate::search::{Found, Search};
use crate::statics::Statics;
use semantics::{Machine, Open};
use std::sync::Arc;
use std::thread;
use verdict::Budget;

/// What to search, and how.
pub struct Setting<'a, 'x> {
    /// The machine that runs the program.
    pub machine: &'a Machine<'x>,
    /// What is known of the program.
    pub statics: &'a Statics<'a>,
    /// How to explore.
    pub config: &'a Config,
    /// Limits.
    pub budget: &'a Budget,
}

/// What came of a round.
pub struct Round {
    /// How it ended.
    pub found: Found,
    /// What was counted, with what had been counted before.
    pub counters: Counters,
    /// Steps of the machine that were taken.
    pub steps: u64,
    /// Why nothing can be concluded from having run everything.
    pub beyond: Option<&'static str>,
    /// A step that goes otherwise in another layout of memory.
    pub open: Option<Open>,
    /// The inputs that were tried, and what is known of others.
    pub space: InputSpace,
}

impl Round {
    fn of(search: Search<'_, '_>, found: Found) -> Round {
        Round {
            found,
            counters: search.counters,
            steps: search.steps_taken(),
            beyond: search.beyond(),
            open: search.open(),
            space: search.into_inputs(),
        }
    }

    /// Adds what another worker did.
    fn add(&mut self, other: Round) {
        let violation = matches!(self.found, Found::Violation(_));
        if !violation && !matches!(other.found, Found::Nothing) {
            self.found = other.found;
        }
        self.counters.add(&other.counters);
        self.steps += other.steps;
        self.beyond = self.beyond.or(other.beyond);
        self.open = self.open.or(other.open);
        self.space.absorb(other.space);
    }
}

/// Runs a round with executions of at most `depth` events.
pub fn round(
    setting: &Setting<'_, '_>,
    depth: usize,
    counters: Counters,
    space: InputSpace,
) -> Round {
    // A worker that prunes needs to know all points of its execution.
    let jobs = match setting.config.prune {
        true => 1,
        false => setting.config.jobs,
    };
    if jobs <= 1 {
        let mut search = setting.search(depth, space);
        search.counters = counters;
        let found = search.run();
        return Round::of(search, found);
    }
    let pool = Arc::new(Pool::new(jobs));
    let register = Register::default();
    let work = |number: usize, space: InputSpace| {
        let _guard = StopOnPanic(&pool);
        let mut search = setting.search(depth, space);
        search.join(pool.clone(), register.clone());
        let found = search.work(number == 0);
        Round::of(search, found)
    };
    let mut all = thread::scope(|scope| {
        let start = |number| {
            let space = space.clone();
            scope.spawn(move || work(number, space))
        };
        let workers: Vec<_> = (0..jobs).map(start).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Round>| match worker.join() {
            Ok(round) => round,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        workers
            .into_iter()
            .map(join)
            .collect::<Vec<_>>()
            .into_iter()
    });
    let mut sum = all.next().expect("there is a worker");
    sum.counters.add(&counters);
    all.for_each(|other| sum.add(other));
    sum
}

impl<'a, 'x> Setting<'a, 'x> {
    fn search(&self, depth: usize, space: InputSpace) -> Search<'a, 'x> {
        let Setting {
            machine,
            statics,
            config,
            budget,
        } = self;
        Search::new(machine, statics, config, depth, budget, space)
    }
}

/// A worker that panics does not leave the others waiting for it.
struct StopOnPanic<'a>(&'a Pool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
