//! All graphs by brute force.
//!
//! From a graph, every thread may go on: a read from any write of its location, a write at any place of the
//! coherence order. Graphs that were made before are remembered. A graph that the model forbids is left: in a
//! model that forbids cycles of program order and reads-from, a forbidden graph stays forbidden when
//! it grows. This is the definition that everything else is compared with; it is exponentially slow.

use crate::exec::{Choice, Exec};
use crate::outcome::{Limits, Outcome, Stop};
use crate::run::Code;
use models::Model;
use rustc_hash::FxHashSet;
use verdict::Task;

/// The executions of a program that was prepared with [`verdict::Preparation::Ordered`].
pub fn reference(task: &Task, model: &Model, limits: &Limits) -> Result<Outcome, Stop> {
    let code = Code::new(task);
    let mut outcome = Outcome::default();
    let mut known = FxHashSet::default();
    let mut open = vec![Exec::new(&code)];
    while let Some(mut exec) = open.pop() {
        limits.check(known.len() as u64, &exec)?;
        let Some(ways) = outcome.visit(&code, model, &mut exec)? else {
            continue;
        };
        for choice in ways.choices {
            for next in successors(&code, &exec, &choice)? {
                if known.insert(next.key()) {
                    open.push(next);
                }
            }
        }
    }
    Ok(outcome)
}

/// The graphs with one more event.
pub(crate) fn successors(code: &Code<'_>, exec: &Exec, choice: &Choice) -> Result<Vec<Exec>, Stop> {
    let mut found = Vec::new();
    match *choice {
        Choice::Other(thread, action) => {
            let mut next = exec.clone();
            next.add_other(thread, action);
            found.push(next);
        }
        Choice::Read(thread, location) => {
            for &write in &exec.graph.coherence[location.0 as usize] {
                let mut next = exec.clone();
                next.add_read(code, thread, location, write)?;
                found.push(next);
            }
        }
        Choice::Write(thread, access, exchange) => {
            for place in 1..=exec.graph.coherence[access.location.0 as usize].len() {
                let mut next = exec.clone();
                next.add_write(thread, access, exchange, place);
                found.push(next);
            }
        }
    }
    Ok(found)
}
