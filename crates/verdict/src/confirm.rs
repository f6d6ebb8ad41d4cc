//! The last gate before a verdict is shown.

use crate::{Property, Reason, Task, Verdict};
use semantics::{Machine, replay};

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
                Err(mismatch) => Verdict::Unknown(Reason::NotReplayed(mismatch.to_string())),
            }
        }
        (verdict, _) => verdict,
    }
}
