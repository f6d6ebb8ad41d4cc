//! Threads that wait for ever, and what they wait for.

use super::{Mismatch, Replay, Run, Stuck, Wait, lock_name};
use crate::naming::Named;
use crate::{Script, Status, Tid, Trace, Violation};
use xcfa::{EdgeId, Label};

impl Run<'_, '_> {
    pub(super) fn deadlock(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        self.advance(&trace.steps, 0)?;
        if !self.machine.is_deadlock(&self.state) {
            return Err(Mismatch::NoViolation);
        }
        Ok(self.finish_stuck(trace.violation))
    }

    /// The end of an execution in which no thread can move: which thread waits for what.
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
        let waits = stuck.waits.as_ref();
        let waits = waits.map_or_else(String::new, |waits| format!("{waits} "));
        let held = match stuck.held.is_empty() {
            true => String::new(),
            false => format!(", holding {}", stuck.held.join(", ")),
        };
        format!(
            "thread {} ({name}) waits {waits}at {}:{}{held}",
            stuck.thread, place.file, place.line
        )
    }

    /// What the first label that may have to wait waits for; those before it may have computed that.
    fn waits_for(&self, tid: Tid, edge: EdgeId) -> Option<Wait> {
        let (mut state, mut host) = (self.state.clone(), Script::default());
        for label in &self.machine.xcfa[edge].labels {
            let name = |addr| lock_name(Named::bytes(self.machine, &state, addr, 4).name);
            let value = |term| self.machine.eval(&state, tid, term);
            let waits = match label {
                Label::Lock { addr, .. } => Some(Wait::Lock(name(value(*addr)))),
                Label::AwaitSignal { .. } => Some(Wait::Signal(name(state.thread(tid).waiting))),
                Label::Join { thread, .. } => {
                    Some(Wait::Thread(value(*thread).wrapping_sub(1) as u32))
                }
                _ => None,
            };
            if waits.is_some() {
                return waits;
            }
            let _ = (self.machine).step_label(&mut state, tid, edge, label, &mut host);
        }
        None
    }
}
