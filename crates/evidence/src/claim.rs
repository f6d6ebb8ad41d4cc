//! Claims, and how each of them is checked.

use crate::closed::{Counts, closed};
use semantics::{Machine, replay};
use std::path::Path;
use verdict::{Answer, Budget, Proof, Property, Task, Trace, Verdict};

/// What was said about a program.
#[derive(Clone, Debug)]
pub enum Claim<'a> {
    /// This execution violates the property.
    Unsafe(&'a Trace),
    /// None does, because of this; a refutation is in a file of its own.
    Safe(&'a Proof, Option<&'a Path>),
}

/// Checks a claim; why not, if it does not stand up.
pub fn verify(task: &Task, claim: &Claim<'_>, budget: &Budget) -> Result<(), String> {
    // What the last gate before a verdict lets nobody say is not confirmed either.
    let memory = task.property == Property::MemSafety;
    if let Some(what) = &task.xcfa.foreign
        && (memory || matches!(claim, Claim::Safe(..)))
    {
        return Err(what.clone());
    }
    let (proof, refutation) = match claim {
        Claim::Unsafe(trace) => {
            let machine = Machine::new(&task.xcfa, task.property);
            let replayed = replay(&machine, trace);
            return replayed.map(drop).map_err(|error| error.to_string());
        }
        Claim::Safe(proof, refutation) => (proof, refutation),
    };
    match proof {
        Proof::ClosedExploration {
            states,
            transitions,
        } => {
            let claimed = Counts {
                states: *states,
                transitions: *transitions,
            };
            match closed(task, budget)? {
                found if found == claimed => Ok(()),
                found => Err(format!(
                    "there are {} states and {} transitions, not {states} and {transitions}",
                    found.states, found.transitions
                )),
            }
        }
        Proof::CompleteUnrolling { rounds, events } => {
            let refutation = refutation.ok_or("there is no refutation")?;
            bmc::recheck(task, *rounds, *events, refutation, budget)
        }
        Proof::AbstractGraph { certificate, .. } if !certificate.is_null() => {
            cegar::recheck(task, certificate, budget)
        }
        Proof::Invariants { certificate, .. } if !certificate.is_null() => {
            horn::recheck(task, certificate, budget)
        }
        Proof::Invariants { .. } => {
            found_again(horn::check(task, &horn::Config::default(), budget))
        }
        Proof::KeptApart { .. } => same(proof, lockset::check(task, budget)),
        Proof::AbstractGraph { .. } | Proof::AllExecutions { .. } => {
            visited_or_agreed(task, budget)
        }
    }
}

/// The same proof again.
fn same(proof: &Proof, answer: Answer) -> Result<(), String> {
    match answer.verdict {
        Verdict::Safe(found) if found == *proof => Ok(()),
        Verdict::Safe(_) => Err("there is a proof, but another one".into()),
        Verdict::Unsafe(_) => Err("there is a violation".into()),
        Verdict::Unknown(reason) => Err(reason.to_string()),
    }
}

/// A proof of the same kind again; what was found is checked by the engine itself.
fn found_again(answer: Answer) -> Result<(), String> {
    match answer.verdict {
        Verdict::Safe(_) => Ok(()),
        Verdict::Unsafe(_) => Err("there is a violation".into()),
        Verdict::Unknown(reason) => Err(reason.to_string()),
    }
}

/// A search that left executions out is not repeated: either all states are visited, or another
/// engine has to come to the same verdict.
fn visited_or_agreed(task: &Task, budget: &Budget) -> Result<(), String> {
    let quick = budget.remaining().map(|left| left / 3);
    let first = match quick {
        Some(time) => closed(task, &budget.at_most(time)),
        None => closed(task, &budget.at_most(std::time::Duration::from_secs(60))),
    };
    let Err(why_not) = first else { return Ok(()) };
    let engines = [
        bmc::check(task, &bmc::Config::default(), &half(budget)),
        cegar::check(task, &cegar::Config::default(), budget),
    ];
    match engines
        .iter()
        .any(|answer| matches!(answer.verdict, Verdict::Safe(_)))
    {
        true => Ok(()),
        false => Err(format!("{why_not}; and no other engine says so")),
    }
}

fn half(budget: &Budget) -> Budget {
    match budget.remaining() {
        Some(left) => budget.at_most(left / 2),
        None => budget.at_most(std::time::Duration::from_secs(600)),
    }
}
