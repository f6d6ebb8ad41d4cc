//! All graphs by brute force.
//!
//! From a graph, every thread may go on: a read from any write of its location, a write at any place of the
//! coherence order. Graphs that were made before are remembered. A graph that the model forbids is left: in a
//! model that forbids cycles of program order and reads-from, a forbidden graph stays forbidden when
//! it grows. This is the definition that everything else is compared with; it is exponentially slow.
//!
//! In the shipped models, an execution can always go on with an event that is no read: every longer execution has it.
//! Then it need not be tried later as well.

use crate::code::Code;
use crate::exec::{Choice, Exec};
use crate::outcome::{Limits, Outcome, Stop};
use models::Model;
use rustc_hash::FxHashSet;
use verdict::Task;

/// The executions of a program that was prepared with [`verdict::Preparation::Ordered`].
pub fn reference(task: &Task, model: &Model, limits: &Limits) -> Result<Outcome, Stop> {
    let code = Code::new(task);
    let mut outcome = Outcome::default();
    let mut known = FxHashSet::default();
    let mut open = vec![Exec::new(&code, limits)];
    while let Some(mut exec) = open.pop() {
        // A graph that is remembered takes about this much for each event.
        let bytes = known.len() * 64 * exec.graph.events.len();
        limits.check(outcome.graphs, bytes as u64)?;
        outcome.graphs += 1;
        if !model.allows(&exec.graph).expect("a graph of a program") {
            continue;
        }
        let Some(mut ways) = outcome.visit(&code, model, &mut exec, limits)? else {
            continue;
        };
        let is_certain = |choice: &Choice| matches!(choice, Choice::Other(..) | Choice::Write(..));
        if let (Some(at), true) = (ways.choices.iter().position(is_certain), model.is_shipped()) {
            ways.choices = vec![ways.choices.swap_remove(at)];
        }
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
fn successors(code: &Code<'_>, exec: &Exec, choice: &Choice) -> Result<Vec<Exec>, Stop> {
    let mut found = Vec::new();
    match *choice {
        Choice::Input(thread, is_all) => {
            for value in [0, 1] {
                let mut next = exec.clone();
                next.add_input(code, thread, value, is_all)?;
                found.push(next);
            }
        }
        Choice::Other(thread, action) => {
            let mut next = exec.clone();
            next.add_other(code, thread, action);
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
            let last = exec.graph.coherence[access.location.0 as usize].len();
            for place in 1..=last {
                let mut next = exec.clone();
                next.add_write(code, thread, access, exchange, place);
                found.push(next);
            }
        }
    }
    Ok(found)
}
