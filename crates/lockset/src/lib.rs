//! Proofs that no data race is possible, without running executions.
//!
//! A race needs two threads that can take their next steps side by side, with conflicting accesses
//! that are not both atomic (docs/decisions/005). So there is none if every pair of conflicting
//! steps is kept apart for a reason: a lock that both threads hold, one of them not only for reading
//! (Eraser, Savage et al., TOCS 1997, doi:10.1145/265924.265927, for all paths instead of one run);
//! one of the threads has not started yet or has ended; or the two touch different memory.
//!
//! For `deadlock` and `termination` it shows that mutexes are always taken in one order ([`order`]).
//!
//! See [its page in the manual](../../../docs/engines/lockset.md). It never finds an error: what it
//! cannot prove it leaves to others.

mod address_disjointness;
mod atomic;
mod branch;
mod certificate;
mod conflict;
mod countdown;
mod counting;
mod custody;
mod destroyed;
mod engine;
mod follow;
mod given;
mod guards;
mod handles;
mod held;
mod lift;
mod linear;
mod lock;
mod may_happen_in_parallel;
mod memory;
mod merge;
mod order;
mod pairs;
mod program;
mod prover;
mod prune;
mod reason;
mod rounds;
mod steady;
mod stores;
mod tickets;
mod tokens;
mod updates;
mod values;
mod words;

pub use self::engine::Lockset;
use verdict::{Answer, Budget, Property, Reason, Stats, Task, Verdict};

/// Tries to prove that there is no data race, or that no threads wait for each other for ever.
pub fn check(task: &Task, budget: &Budget) -> Answer {
    let mut stats = Stats::default();
    let verdict = match task.property {
        Property::Race => {
            let pruned = prune::Pruned::of(&task.xcfa).without_destroyed();
            pairs::all_kept_apart(&pruned, budget, &mut stats)
        }
        Property::Deadlock | Property::Termination => order::all_in_order(task, &mut stats),
        other => {
            let what = format!("locks prove nothing about {other}");
            Verdict::Unknown(Reason::unsupported(what))
        }
    };
    Answer::new(verdict, stats)
}
