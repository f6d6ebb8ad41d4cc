//! `--engine auto`: one engine after the other, each with a share of the time.

use super::check::run_engine;
use crate::args::{CheckArgs, Engine};
use std::time::Duration;
use verdict::{Answer, Budget, Property, Reason, Stats, Task, Verdict};

/// An engine and its time.
struct Step {
    engine: Engine,
    /// Hundredths of the time there is.
    share: u32,
    /// At most, in seconds.
    most: u64,
}

const fn step(engine: Engine, share: u32, most: u64) -> Step {
    Step {
        engine,
        share,
        most,
    }
}

/// For errors at locations: what is small is explored, bugs and bounded loops come next, then
/// what needs an abstraction or invariants; whoever is last has all the time that is left.
const LOCATIONS: &[Step] = &[
    step(Engine::Explore, 5, 3),
    step(Engine::Bmc, 35, 120),
    step(Engine::Cegar, 40, 300),
    step(Engine::Horn, 15, 120),
    step(Engine::Explore, 100, u64::MAX),
];

/// For two accesses that meet: most programs keep them apart by locks.
const RACES: &[Step] = &[
    step(Engine::Lockset, 10, 10),
    step(Engine::Explore, 10, 5),
    step(Engine::Bmc, 60, 200),
    step(Engine::Explore, 100, u64::MAX),
];

/// For threads that wait for each other.
const DEADLOCKS: &[Step] = &[
    step(Engine::Explore, 10, 5),
    step(Engine::Bmc, 60, 200),
    step(Engine::Explore, 100, u64::MAX),
];

/// For executions that never end: what is small is explored, then ranks are looked for.
const ENDINGS: &[Step] = &[
    step(Engine::Explore, 10, 5),
    step(Engine::Horn, 50, 300),
    step(Engine::Explore, 100, u64::MAX),
];

/// For everything else.
const OTHERS: &[Step] = &[step(Engine::Explore, 100, u64::MAX)];

/// The first definite answer, or all the reasons why there is none.
pub fn solve(task: &Task, args: &CheckArgs, budget: &Budget) -> (&'static str, Answer) {
    let steps = match task.property {
        Property::Reach | Property::Overflow => LOCATIONS,
        Property::Race => RACES,
        Property::Deadlock => DEADLOCKS,
        Property::Termination => ENDINGS,
        Property::MemSafety => OTHERS,
    };
    let whole = budget.remaining();
    let mut reasons: Vec<(&'static str, Reason)> = Vec::new();
    let mut stats = Stats::default();
    for step in steps {
        let most = Duration::from_secs(step.most);
        let time = whole.map_or(most, |whole| (whole * step.share / 100).min(most));
        let (name, answer) = run_engine(step.engine, task, args, &budget.at_most(time));
        stats = answer.stats;
        match answer.verdict {
            Verdict::Unknown(reason) => reasons.push((name, reason)),
            verdict => return (name, Answer { verdict, stats }),
        }
        if budget.exceeded(0).is_some() {
            break;
        }
    }
    let verdict = Verdict::Unknown(sum_up(reasons));
    ("auto", Answer { verdict, stats })
}

/// One reason out of several.
fn sum_up(mut reasons: Vec<(&'static str, Reason)>) -> Reason {
    let last = reasons.pop();
    match last {
        Some((_, reason)) if reasons.is_empty() || reason == Reason::Interrupted => reason,
        last => {
            reasons.extend(last);
            let each = reasons
                .iter()
                .map(|(name, reason)| format!("{name}: {reason}"));
            let each: Vec<String> = each.collect();
            Reason::Beyond(each.join("; "))
        }
    }
}
