//! The tables: what is tried for which property.

use crate::Engine::{self, Bmc, Cegar, Explore, Fusion, Horn, Lockset, Matching};
use When::{Always, NoInputs, ThreadsBounded};
use passes::Facts;
use std::time::Duration;
use verdict::Property;

/// For which programs a step is worth its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// All.
    Always,
    /// There is a bound on the number of threads.
    ThreadsBounded,
    /// No input has more than two values, so that concrete states can be all there is.
    NoInputs,
}

impl When {
    /// Is this a program of that kind?
    pub fn holds(self, facts: &Facts) -> bool {
        match self {
            Always => true,
            ThreadsBounded => facts.threads_bounded,
            NoInputs => facts.inputs == 0,
        }
    }
}

/// An engine and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who is asked.
    pub engine: Engine,
    /// Hundredths of the time of all cores together.
    pub share: u32,
    /// At most so many seconds.
    pub most: u64,
    /// For which programs.
    pub when: When,
}

const ALL: u64 = u64::MAX;

const fn step(engine: Engine, share: u32, most: u64, when: When) -> Step {
    Step {
        engine,
        share,
        most,
        when,
    }
}

/// Errors at locations: bugs and bounded loops are left to one core, and on the other whoever may have
/// a quick answer has a short turn before anyone has a long one; whoever is last has all the time that
/// is left.
const LOCATIONS: &[Step] = &[
    step(Explore, 3, 2, Always),
    step(Bmc, 30, 120, Always),
    step(Fusion, 3, 2, ThreadsBounded),
    step(Cegar, 6, 5, Always),
    step(Horn, 5, 5, Always),
    step(Explore, 8, 20, Always),
    step(Cegar, 25, 300, Always),
    step(Horn, 10, 120, Always),
    step(Matching, 5, 60, NoInputs),
    step(Explore, 100, ALL, Always),
];

/// Errors at locations where threads are started without a bound: only an abstraction or invariants
/// prove anything, and most bugs need few threads. Short turns first.
const LOCATIONS_OF_MANY: &[Step] = &[
    step(Cegar, 8, 20, Always),
    step(Bmc, 3, 2, Always),
    step(Horn, 8, 20, Always),
    step(Explore, 4, 20, Always),
    step(Bmc, 12, 60, Always),
    step(Cegar, 33, 300, Always),
    step(Horn, 24, 300, Always),
    step(Explore, 100, ALL, Always),
];

/// Two accesses that meet: most programs keep them apart in a way that can be seen in the text.
const RACES: &[Step] = &[
    step(Lockset, 10, 10, Always),
    step(Explore, 8, 20, Always),
    step(Bmc, 50, 200, Always),
    step(Fusion, 10, 30, ThreadsBounded),
    step(Explore, 100, ALL, Always),
];

/// Threads that wait for each other.
const DEADLOCKS: &[Step] = &[
    step(Explore, 8, 20, Always),
    step(Bmc, 50, 200, Always),
    step(Fusion, 10, 30, ThreadsBounded),
    step(Explore, 100, ALL, Always),
];

/// Accesses outside of objects, and memory that is lost.
const MEMORY: &[Step] = &[
    step(Explore, 30, 60, Always),
    step(Matching, 20, 60, NoInputs),
    step(Explore, 100, ALL, Always),
];

/// Executions that never end.
const ENDLESS: &[Step] = &[
    step(Explore, 10, 10, Always),
    step(Horn, 60, 300, Always),
    step(Explore, 100, ALL, Always),
];

/// What is tried for a property, in this order.
pub fn steps(property: Property, threads_bounded: bool) -> &'static [Step] {
    match property {
        Property::Reach | Property::Overflow if !threads_bounded => LOCATIONS_OF_MANY,
        Property::Reach | Property::Overflow => LOCATIONS,
        Property::Race => RACES,
        Property::Deadlock => DEADLOCKS,
        Property::MemSafety => MEMORY,
        Property::Termination => ENDLESS,
    }
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
        let properties = [
            Property::Reach,
            Property::Race,
            Property::Deadlock,
            Property::Overflow,
            Property::MemSafety,
            Property::Termination,
        ];
        let both = |property| [true, false].map(|bounded| (property, bounded));
        for (property, bounded) in properties.into_iter().flat_map(both) {
            let (last, before) = steps(property, bounded).split_last().unwrap();
            assert_eq!((last.share, last.most, last.when), (100, ALL, Always));
            let shares: u32 = before.iter().map(|step| step.share).sum();
            assert!(shares < 100, "{property}: nothing is left for the last");
        }
    }
}
