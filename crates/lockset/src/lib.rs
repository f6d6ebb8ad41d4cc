//! Proofs that no data race is possible, without looking at executions.
//!
//! A race needs two threads that can take their next steps side by side, with conflicting accesses
//! that are not both atomic (docs/decisions/005). So there is none if every pair of conflicting
//! steps is kept apart for a reason: a lock that both threads hold, one of them not only for reading
//! (Eraser, Savage et al., TOCS 1997, doi:10.1145/265924.265927, for all paths instead of one run);
//! one of the threads has not started yet or has ended; or the two touch different memory.
//!
//! The page of the engine is docs/engines/lockset.md. It never finds a race: what it cannot prove it
//! leaves to others.

mod apart;
mod atomic;
mod conflict;
mod countdown;
mod counting;
mod families;
mod follow;
mod given;
mod guards;
mod handles;
mod held;
mod lift;
mod linear;
mod memory;
mod merge;
mod pairs;
mod program;
mod prover;
mod prune;
mod reason;
mod rounds;
mod stores;
mod tickets;
mod tokens;
mod undisturbed;
mod updates;
mod values;

use verdict::{Answer, Budget, Property, Reason, Stats, Task, Verdict, confirm};

/// Tries to prove that there is no data race.
pub fn check(task: &Task, budget: &Budget) -> Answer {
    let mut stats = Stats::default();
    let verdict = match task.property {
        Property::Race => {
            let xcfa = prune::without_impossible_steps(&task.xcfa);
            pairs::all_kept_apart(&xcfa, budget, &mut stats)
        }
        other => beyond(format!("locks prove nothing about {other}")),
    };
    Answer {
        verdict: confirm(task, verdict),
        stats,
    }
}

fn beyond(what: String) -> Verdict {
    Verdict::Unknown(Reason::Beyond(what))
}
