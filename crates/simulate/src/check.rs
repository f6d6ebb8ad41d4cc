//! The two searches in turns.

use crate::dice::Mood;
use crate::preemptions::{Preemptions, Progress};
use crate::run::{End, Run, Workshop};
use crate::scheduler::{Priorities, Scheduler, Staying};
use semantics::{Machine, Trace};
use std::time::{Duration, Instant};
use verdict::{Answer, Bound, Budget, Reason, Stats, Task, Verdict, grouped, not_exact};

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where random numbers start.
    pub seed: u64,
    /// How many random runs; as many as there is time for if it is open.
    pub runs: Option<u64>,
    /// How many preemptions of the search through all schedules; more and more if it is open.
    pub preemptions: Option<u64>,
}

/// The first turn; each one is twice as long as the one before.
const FIRST_TURN: Duration = Duration::from_millis(20);
/// A run of this many steps is cut, every second run later, every fourth later still, and so on.
const SHORT_RUN: usize = 20_000;
/// So many runs are enough where all states were visited for some inputs.
const ENOUGH_RUNS: u64 = 2_000;
/// Nodes that are visited between two looks at the clock.
const NODES: u64 = 64;

/// Runs the program under random schedules and under all with few preemptions. Finding nothing proves nothing.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let machine = Machine::new(&task.xcfa, task.property).noting(budget.reached());
    let mut search = Search {
        task,
        config,
        budget,
        shop: Workshop::new(&machine, config.seed, budget),
        preemptions: Preemptions::new(&machine),
        is_through: config.preemptions.is_none() && config.runs.is_some(),
        done: 0,
        longest: 0,
        in_doubt: None,
    };
    let verdict = search.search();
    let mut stats = Stats::default();
    stats.set("runs", search.done);
    stats.set("steps", search.shop.steps);
    stats.set("states", search.preemptions.states());
    Answer::new(verdict, stats)
}

struct Search<'m, 'x, 'b> {
    task: &'b Task,
    config: &'b Config,
    budget: &'b Budget,
    shop: Workshop<'m, 'x, 'b>,
    preemptions: Preemptions<'m, 'x>,
    /// Has the search by preemptions ended?
    is_through: bool,
    /// Runs so far.
    done: u64,
    /// The steps of the longest run so far.
    longest: usize,
    /// A violation that depends on what the library might not do.
    in_doubt: Option<Trace>,
}

/// Why a search ends.
enum Stop {
    Failed(Trace),
    Limit(Reason),
}

impl Search<'_, '_, '_> {
    fn search(&mut self) -> Verdict {
        match self.in_turns() {
            Some(Stop::Failed(trace)) => return Verdict::Unsafe(trace),
            Some(Stop::Limit(reason @ Reason::Interrupted)) => return Verdict::Unknown(reason),
            _ => {}
        }
        if let Some(trace) = self.in_doubt.take() {
            return Verdict::Unsafe(trace);
        }
        Verdict::Unknown(match self.excluded() {
            Some(most) => Reason::Bound(Bound::Preemptions(most)),
            None => Reason::SomeExecutionsOnly,
        })
    }

    /// No error takes at most so many preemptions, whatever C leaves open.
    fn excluded(&self) -> Option<u64> {
        let xcfa = &self.task.xcfa;
        let exact = xcfa.unspecified.is_none() && xcfa.foreign.is_none();
        self.preemptions.excluded().filter(|_| exact)
    }

    fn in_turns(&mut self) -> Option<Stop> {
        let mut turn = FIRST_TURN;
        loop {
            let has_runs = self.config.runs.is_none_or(|runs| self.done < runs);
            if let Some(stop) = self.run_for(turn).or_else(|| self.visit_for(turn)) {
                return Some(stop);
            }
            // Where all was visited, runs find nothing else but what other inputs do.
            let enough = self.done >= ENOUGH_RUNS
                || self.config.preemptions.is_some()
                || self.excluded().is_some();
            let is_pointless = self.config.runs.is_none() && enough;
            if self.is_through && (!has_runs || is_pointless) {
                return None;
            }
            self.budget.tell(|| self.progress());
            turn *= 2;
        }
    }

    fn progress(&self) -> String {
        let (runs, states) = (grouped(self.done), grouped(self.preemptions.states()));
        format!("{runs} runs, {states} states with few preemptions")
    }

    /// The violation, unless it is in doubt.
    fn found(&mut self, trace: Trace) -> Option<Stop> {
        if not_exact(self.task, &trace).is_none() {
            return Some(Stop::Failed(trace));
        }
        self.in_doubt.get_or_insert(trace);
        None
    }

    /// Random runs for some time.
    fn run_for(&mut self, turn: Duration) -> Option<Stop> {
        let end = Instant::now() + turn;
        while self.config.runs.is_none_or(|runs| self.done < runs) && Instant::now() < end {
            self.done += 1;
            match self.one_run() {
                End::Over(steps) => self.longest = self.longest.max(steps),
                End::Stopped(reason) => return Some(Stop::Limit(reason)),
                End::Failed(trace) => {
                    if let Some(stop) = self.found(trace) {
                        return Some(stop);
                    }
                }
            }
        }
        None
    }

    fn one_run(&mut self) -> End {
        let random = &mut self.shop.random;
        let mood = match self.done {
            1 => Mood::CALM,
            _ => Mood::any(random),
        };
        let mut scheduler: Box<dyn Scheduler> = match self.done % 8 {
            1 => Box::new(Staying::new(0)),
            3 => Box::new(Staying::new(64)),
            5 => Box::new(Staying::new(8)),
            2 | 6 => {
                let changes = 1 + random.below(3);
                Box::new(Priorities::new(changes, self.longest, random))
            }
            _ => Box::new(Staying::new(1)),
        };
        let longest = SHORT_RUN << self.done.trailing_zeros();
        Run::new(&mut self.shop, scheduler.as_mut(), mood).finish(longest)
    }

    /// The search by preemptions for some time.
    fn visit_for(&mut self, turn: Duration) -> Option<Stop> {
        let end = Instant::now() + turn;
        while !self.is_through && Instant::now() < end {
            if let Some(reason) = self.budget.exceeded(self.preemptions.bytes()) {
                return Some(Stop::Limit(reason));
            }
            let most = self.config.preemptions.unwrap_or(u64::MAX);
            match self.preemptions.go_on(NODES, most) {
                Progress::Going => {}
                Progress::Done => self.is_through = true,
                Progress::Failed(trace) => {
                    // What it would find next is the same.
                    self.is_through = true;
                    if let Some(stop) = self.found(trace) {
                        return Some(stop);
                    }
                }
            }
        }
        None
    }
}
