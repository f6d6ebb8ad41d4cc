//! A failing schedule as C: the user's own program, compiled by gcc and run by plain threads, fails
//! in the same way every time.
//!
//! # How
//! Each shared access of the [`Trace`] comes from an expression of the program (edges keep the span
//! of the access that others can see). That expression is written anew, in place, so that the
//! thread stops in front of it until it is its turn and says afterwards that it is done
//! ([`rewrite`], [`site`]). What is between two accesses is local to a thread and needs no
//! order. Calls that start threads, wait for signals or meet at barriers go through the runtime,
//! which knows from the schedule which thread is which and which is woken; inputs come from the trace.
//!
//! # What it does not promise
//! This is no evidence, only a demonstration: the replay on the automata is what a verdict rests on.
//! Accesses that have no expression of their own (a local that is initialised after its address
//! escaped, a record copied member by member) are not ordered, and values that the trace gives to
//! uninitialised memory are not set. The runtime says so if the threads cannot follow.

mod events;
mod rewrite;
mod run;
mod runtime;
mod schedule;
mod site;

pub use run::{Built, Data, build, observe};
pub use runtime::Expectation;

use cfront::hir;
use semantics::{Machine, Trace};
use xcfa::Xcfa;

/// A file to be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The file of the program that it is made from.
    pub from: String,
    /// Its text.
    pub text: String,
}

/// Writes one file for each of the program's own. The trace must be one that replays.
pub fn reproduce(xcfa: &Xcfa, program: &hir::Program, trace: &Trace) -> Vec<Unit> {
    let machine = Machine::new(xcfa, trace.violation.property());
    let events = events::observe(&machine, trace);
    let sites = site::find(program, &events);
    let plan = schedule::Plan::new(&events, &sites, trace);
    let missing = Some(&sites.missing[..]);
    let files = program.sources.files().iter().enumerate();
    let units = files.map(|(number, file)| {
        let body = rewrite::file(number as u32, &file.text, &sites, &plan);
        Unit {
            from: file.name.clone(),
            text: runtime::unit(
                missing.filter(|_| number == 0),
                &plan,
                trace,
                &program.sources,
                file,
                &body,
            ),
        }
    });
    units.collect()
}
