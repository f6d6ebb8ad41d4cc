//! Threads that wait for ever, and what they wait for.

use super::{Mismatch, Replay, Run, Stuck, lock_name};
use crate::naming::Named;
use crate::{Status, Tid, Trace, Violation};
use xcfa::{EdgeId, Label};

impl Run<'_, '_> {
    pub(super) fn deadlock(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        self.advance(&trace.steps, 0)?;
        if !self.machine.is_deadlock(&self.state) {
            return Err(Mismatch::NoViolation);
        }
        Ok(self.finish_stuck(trace.violation))
    }

    /// The end of an execution in which nobody can go on: who waits for what.
    pub(super) fn finish_stuck(self, violation: Violation) -> Replay {
        let stuck = self.stuck();
        let mut lines = vec![violation.to_string()];
        lines.extend(stuck.iter().map(|stuck| self.stuck_line(stuck)));
        let span = stuck.first().map(|stuck| stuck.span);
        let replay = self.finish(lines.join("\n"), span, None);
        Replay { stuck, ..replay }
    }

    fn stuck(&self) -> Vec<Stuck> {
        let tids = self.state.tids();
        let running = tids.filter(|&tid| self.state.thread(tid).status == Status::Running);
        let stuck = running.filter_map(|tid| {
            let &edge = self.machine.edges(&self.state, tid).first()?;
            Some(Stuck {
                thread: tid.0,
                span: self.machine.xcfa[edge].span,
                waits: self.waits_for(tid, edge),
                held: self.held_names(tid.0, &self.state),
            })
        });
        stuck.collect()
    }

    fn stuck_line(&self, stuck: &Stuck) -> String {
        let place = self.machine.xcfa.sources.place(stuck.span);
        let name = &self.thread_names[stuck.thread as usize];
        let waits = match stuck.waits.as_str() {
            "" => String::new(),
            waits => format!("{waits} "),
        };
        let held = match stuck.held.is_empty() {
            true => String::new(),
            false => format!(", holding {}", stuck.held.join(", ")),
        };
        format!(
            "thread {} ({name}) waits {waits}at {}:{}{held}",
            stuck.thread, place.file, place.line
        )
    }

    fn waits_for(&self, tid: Tid, edge: EdgeId) -> String {
        let name = |addr| lock_name(Named::bytes(self.machine, &self.state, addr, 4).name);
        for label in &self.machine.xcfa[edge].labels {
            match label {
                Label::Lock { addr, .. } => {
                    return format!("for {}", name(self.machine.eval(&self.state, tid, *addr)));
                }
                Label::AwaitSignal { .. } => {
                    return format!("on {}", name(self.state.thread(tid).waiting));
                }
                Label::Join { thread, .. } => {
                    let handle = self.machine.eval(&self.state, tid, *thread);
                    return format!("for thread {}", handle.wrapping_sub(1));
                }
                _ => {}
            }
        }
        String::new()
    }
}
