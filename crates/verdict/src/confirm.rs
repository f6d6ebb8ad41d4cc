//! The last gate before a verdict is shown.

use crate::{Reason, Task, Verdict};
use semantics::{Machine, replay};

/// Replays an *unsafe*; a trace that does not replay becomes *unknown*.
pub fn confirm(task: &Task, verdict: Verdict) -> Verdict {
    let Verdict::Unsafe(trace) = verdict else {
        return verdict;
    };
    let machine = Machine::new(&task.xcfa, task.property);
    match replay(&machine, &trace) {
        Ok(_) => Verdict::Unsafe(trace),
        Err(mismatch) => Verdict::Unknown(Reason::NotReplayed(mismatch.to_string())),
    }
}
