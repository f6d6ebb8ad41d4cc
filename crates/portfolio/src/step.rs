//! The tables: what is tried for which property.

use When::{Always, Inputs, NoInputs, ThreadsBounded};
use dataflow::Facts;
use std::time::Duration;
use verdict::{Property, Task};

/// For which programs a step is worth its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// All.
    Always,
    /// There is a bound on the number of threads.
    ThreadsBounded,
    /// No input has more than two values, so that concrete states can be all there is.
    NoInputs,
    /// Some input has more than two values, and several threads are started, with a bound on their
    /// number: concrete states cannot be all there is.
    Inputs,
}

impl When {
    /// Is this a program of that kind?
    pub fn holds(self, facts: &Facts) -> bool {
        match self {
            Always => true,
            ThreadsBounded => facts.threads_bounded,
            NoInputs => facts.inputs == 0,
            Inputs => facts.inputs > 0 && facts.threads_bounded && facts.thread_procedures > 2,
        }
    }
}

/// An engine and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The engine that runs.
    pub engine: &'static str,
    /// Hundredths of the time of all cores together.
    pub share: u32,
    /// At most this many seconds.
    pub most: u64,
    /// For which programs.
    pub when: When,
}

const ALL: u64 = u64::MAX;

const fn step(engine: &'static str, share: u32, most: u64, when: When) -> Step {
    Step {
        engine,
        share,
        most,
        when,
    }
}

/// Errors at locations: one core is for bugs and bounded loops. On the other, each engine that may
/// have a quick answer has a short turn before any has a long one; the last has all remaining time.
const LOCATIONS: &[Step] = &[
    step("explore", 3, 2, Always),
    step("simulate", 2, 2, Always),
    step("bmc", 22, 120, Always),
    step("fusion", 3, 2, ThreadsBounded),
    step("cegar", 5, 5, Always),
    step("checks", 4, 10, Always),
    step("horn", 4, 5, Always),
    step("reduce", 26, 120, Inputs),
    step("explore", 6, 20, Always),
    step("simulate", 4, 20, Always),
    step("cegar", 11, 300, Always),
    step("horn", 6, 120, Always),
    step("matching", 3, 60, NoInputs),
    step("explore", 100, ALL, Always),
];

/// Errors at locations where many threads are started: only an abstraction or invariants
/// prove anything, and most bugs need few threads. Short turns first.
const LOCATIONS_OF_MANY: &[Step] = &[
    step("cegar", 8, 20, Always),
    step("simulate", 3, 4, Always),
    step("bmc", 3, 2, Always),
    step("checks", 16, 60, Always),
    step("horn", 8, 20, Always),
    step("explore", 4, 20, Always),
    step("bmc", 12, 60, Always),
    step("simulate", 4, 30, Always),
    step("cegar", 24, 300, Always),
    step("horn", 16, 300, Always),
    step("explore", 100, ALL, Always),
];

/// Two accesses that meet: most programs keep them apart in a way that can be seen in the text.
const RACES: &[Step] = &[
    step("lockset", 10, 10, Always),
    step("explore", 3, 2, Always),
    step("simulate", 4, 4, Always),
    step("explore", 8, 20, Always),
    step("bmc", 50, 200, Always),
    step("fusion", 10, 30, ThreadsBounded),
    step("simulate", 8, 30, Always),
    step("explore", 100, ALL, Always),
];

/// Threads that wait for each other.
const DEADLOCKS: &[Step] = &[
    step("explore", 8, 20, Always),
    step("simulate", 4, 4, Always),
    step("lockset", 5, 10, Always),
    step("bmc", 50, 200, Always),
    step("fusion", 10, 30, ThreadsBounded),
    step("simulate", 8, 30, Always),
    step("explore", 100, ALL, Always),
];

/// Accesses outside of objects, and memory that is lost.
const MEMORY: &[Step] = &[
    step("explore", 3, 2, Always),
    step("simulate", 4, 4, Always),
    step("checks", 36, 60, Always),
    step("explore", 12, 60, Always),
    step("simulate", 6, 30, Always),
    step("cegar", 10, 60, Always),
    step("matching", 8, 60, NoInputs),
    step("horn", 8, 60, Always),
    step("explore", 100, ALL, Always),
];

/// Signed operations that leave their range: as errors at locations, but most cannot for reasons that can
/// be seen in the text.
const OVERFLOWS: &[Step] = &[
    step("explore", 3, 2, Always),
    step("simulate", 2, 2, Always),
    step("checks", 26, 60, Always),
    step("bmc", 20, 120, Always),
    step("cegar", 6, 5, Always),
    step("horn", 5, 5, Always),
    step("reduce", 8, 60, Inputs),
    step("explore", 8, 20, Always),
    step("simulate", 3, 20, Always),
    step("cegar", 12, 300, Always),
    step("horn", 6, 120, Always),
    step("explore", 100, ALL, Always),
];

/// Executions that never end.
const ENDLESS: &[Step] = &[
    step("explore", 10, 10, Always),
    step("lockset", 5, 10, Always),
    step("horn", 60, 300, Always),
    step("explore", 100, ALL, Always),
];

/// Under a memory model that is weaker than sequential consistency: all executions are made, and one that shows an
/// error is searched for.
const WEAK: &[Step] = &[
    step("graphs", 50, ALL, Always),
    step("bmc", 100, ALL, Always),
];

/// What only one engine knows: executions of sequential consistency itself, as graphs.
const ALL_GRAPHS: &[Step] = &[step("graphs", 100, ALL, Always)];

/// What is tried under a memory model that is weaker than sequential consistency.
pub fn weak_steps(property: Property) -> &'static [Step] {
    match property {
        Property::Reach | Property::Race | Property::Robust => WEAK,
        _ => ALL_GRAPHS,
    }
}

/// What is tried for a property, in this order. Programs that start few threads have a table of their own.
pub fn steps(property: Property, few_threads: bool) -> &'static [Step] {
    match property {
        Property::Race => RACES,
        Property::Deadlock => DEADLOCKS,
        Property::MemSafety(_) => MEMORY,
        Property::Overflow => OVERFLOWS,
        Property::Termination => ENDLESS,
        Property::Robust => ALL_GRAPHS,
        _ if few_threads => LOCATIONS,
        _ => LOCATIONS_OF_MANY,
    }
}

/// The steps that are worth it for this program, in their order.
pub fn steps_for(task: &Task) -> impl Iterator<Item = &'static Step> {
    let facts = task.xcfa.facts();
    let table = match task.memory_model.is_sc() {
        true => steps(task.property, facts.few_threads),
        false => weak_steps(task.property),
    };
    table.iter().filter(|step| step.when.holds(facts))
}

impl Step {
    /// How long it may take if all cores together have `whole`.
    pub fn time(&self, whole: Option<Duration>) -> Duration {
        let most = Duration::from_secs(self.most);
        whole.map_or(most, |whole| (whole * self.share / 100).min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_ends_with_an_engine_that_takes_all_the_time() {
        let properties = Property::ALL;
        let both = |property| [true, false].map(|bounded| (property, bounded));
        for (property, bounded) in properties.into_iter().flat_map(both) {
            let (last, before) = steps(property, bounded).split_last().unwrap();
            assert_eq!((last.share, last.most, last.when), (100, ALL, Always));
            let shares: u32 = before.iter().map(|step| step.share).sum();
            assert!(shares < 100, "{property}: nothing is left for the last");
        }
    }
}
