//! The last gate before a verdict is shown.

use crate::{Property, Reason, Task, Verdict};
use semantics::{Machine, Mismatch, Trace, Violation, replay};

/// Replays an *unsafe*; a trace that does not replay becomes *unknown*. So does a *safe* about a
/// program that accesses memory through a pointer from outside: its runs seem to end there.
pub fn confirm(task: &Task, verdict: Verdict) -> Verdict {
    let memory = task.property == Property::MemSafety;
    match (verdict, &task.xcfa.foreign) {
        (Verdict::Safe(_), Some(what)) => Verdict::Unknown(Reason::Beyond(what.clone())),
        (Verdict::Unsafe(_), Some(what)) if memory => {
            Verdict::Unknown(Reason::Beyond(what.clone()))
        }
        (Verdict::Unsafe(trace), _) => {
            let machine = Machine::new(&task.xcfa, task.property);
            match replay(&machine, &trace) {
                Ok(_) => Verdict::Unsafe(trace),
                Err(mismatch) => Verdict::Unknown(not_replayed(&trace, &mismatch)),
            }
        }
        (verdict, _) => verdict,
    }
}

fn not_replayed(trace: &Trace, mismatch: &Mismatch) -> Reason {
    // Engines forget values that are not read again. They may belong to variables in scope, which
    // keep memory, and a replay forgets nothing.
    match (trace.violation, mismatch) {
        (Violation::InvalidMemtrack, Mismatch::NoViolation) => {
            Reason::Beyond("cannot tell whether memory is lost at the end".into())
        }
        _ => Reason::NotReplayed(mismatch.to_string()),
    }
}
