//! Proofs that no check fails: signed operations stay in their range, accesses in living objects, no
//! assertion fails (`--engine checks`).
//!
//! Candidates for facts are read off the program: what its conditions compare, what its assignments
//! set, what would make an error impossible. Of these, the largest set is kept that holds at each
//! location, whatever the thread there does, and whatever any other thread does meanwhile (Houdini:
//! Flanagan and Leino, FME 2001, doi:10.1007/3-540-45251-6_29; threads by themselves: Flanagan and
//! Qadeer, SPIN 2003, doi:10.1007/3-540-44829-2_14). If these facts exclude every error, there is none.
//!
//! See [its page in the manual](../../../docs/engines/checks.md). It never finds a violation, and it
//! deliberately invents nothing: a proof that needs a fact the text does not suggest is left to others.

mod candidates;
mod discharge;
mod engine;
mod facts;
mod fixpoint;
mod formula;
mod growth;
mod interference;
mod leaves;
mod prover;
mod question;

pub use self::engine::Checks;

use abstraction::{Program, View};
use candidates::{Candidates, Depth};
use discharge::Discharged;
use expr::{Portable, Terms};
use fixpoint::{Fixpoint, Stopped};
use serde_json::{Value, json};
use smt::on_worker;
use verdict::{Answer, Budget, Proof, Reason, Stats, Task, Verdict};
use xcfa::ErrorKind;

/// What is tried, one after the other: most proofs need no locks, and few candidates.
const ATTEMPTS: [(View, Depth); 4] = [
    (View::Coarse, Depth::Plain),
    (View::Fine, Depth::Plain),
    (View::Coarse, Depth::All),
    (View::Fine, Depth::All),
];

/// Tries to prove that no check fails.
pub fn check(task: &Task, budget: &Budget) -> Answer {
    let over = || budget.exceeded(0).is_some();
    let answer = on_worker(over, || {
        let mut stats = Stats::default();
        let verdict = match task.property.target() {
            Some(target) => prove(task, target, budget, &mut stats),
            None => {
                let what = format!(
                    "facts about locations prove nothing about {}",
                    task.property
                );
                Verdict::Unknown(Reason::unsupported(what))
            }
        };
        Answer::new(verdict, stats)
    });
    answer.unwrap_or_else(Answer::crashed)
}

fn prove(task: &Task, target: ErrorKind, budget: &Budget, stats: &mut Stats) -> Verdict {
    let discharged = match Discharged::of(&task.xcfa, target, budget) {
        Ok(discharged) => discharged,
        Err(over) => return Verdict::Unknown(over),
    };
    if !discharged.has_errors && !task.xcfa.checks_memory {
        return Verdict::Safe(Proof::Invariants {
            index: 1,
            clauses: 0,
            certificate: json!({
                "view": View::Coarse,
                "discharged": discharged.certificate(),
                "places": [],
            }),
        });
    }
    let mut reason = Reason::OutOfTime;
    let (mut made, mut tried, mut calls) = (Vec::new(), Vec::new(), 0);
    for (view, depth) in ATTEMPTS {
        if !made.iter().any(|(known, _)| *known == view) {
            let program = Program::modular(&discharged.rest, view).map_err(|refused| {
                reason = Reason::unsupported_at(&task.xcfa, refused.span, refused.what);
            });
            made.push((view, program.ok()));
        }
        if let Some(over) = budget.exceeded(verdict::resident_bytes()) {
            return Verdict::Unknown(over);
        }
        let known = made.iter_mut().find(|(known, _)| *known == view);
        let Some((_, Some((program, terms)))) = known else {
            continue;
        };
        // What one view is silent about may not be there.
        let attempt = (program.vars.len(), program.actions.len(), depth);
        if tried.contains(&attempt) {
            continue;
        }
        tried.push(attempt);
        let candidates = Candidates::of(program, terms, target, depth);
        stats.set("candidates", candidates.atoms.len() as u64);
        let mut fixpoint = Fixpoint::new(program, &candidates, target, budget);
        let ended = fixpoint.run(terms);
        calls += fixpoint.prover.calls;
        stats.set("solver calls", calls);
        match ended {
            Ok(()) => {
                return Verdict::Safe(Proof::Invariants {
                    index: 1,
                    clauses: fixpoint.prover.calls,
                    certificate: certificate(view, program, terms, &fixpoint, &discharged),
                });
            }
            Err(Stopped::Budget(reason)) => return Verdict::Unknown(reason),
            Err(Stopped::Open(action)) => {
                let xcfa = &program.unrolled.xcfa;
                let place = xcfa.sources.place(xcfa[program[action].edge].span);
                let what = format!("cannot exclude an error at {place}");
                reason = Reason::Inconclusive(what);
            }
        }
    }
    Verdict::Unknown(reason)
}

/// The facts, for others to check: by location, what holds there.
fn certificate(
    view: View,
    program: &Program,
    terms: &Terms,
    fixpoint: &Fixpoint<'_>,
    discharged: &Discharged,
) -> Value {
    let mut places = Vec::new();
    for at in 0..program.locations() {
        if let Some(known) = &fixpoint.known[at] {
            let facts: Vec<_> = known
                .iter()
                .map(|atom| fixpoint.candidates.atoms[atom].term)
                .collect();
            places.push(json!({"at": at, "facts": Portable::of(terms, &facts)}));
        }
    }
    json!({"view": view, "discharged": discharged.certificate(), "places": places})
}
