//! Threads that wait for ever, and what they wait for.

use super::{Mismatch, Replay, Run, Stuck, Wait, lock_name};
use crate::failure::{Failure, WaitingThread, What};
use crate::naming::{Named, object_of_word};
use crate::{Script, Status, Tid, Trace, Violation};
use xcfa::{EdgeId, Label, Span};

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
        let span = stuck.first().map(|stuck| stuck.span);
        let threads = stuck.iter().map(|stuck| WaitingThread {
            thread: self.thread_name(stuck.thread),
            place: self.place(stuck.span),
            waits: stuck.waits.clone(),
            held: stuck.held.clone(),
        });
        let failure = Failure {
            violation,
            place: span.and_then(|span| self.place(span)),
            what: What::Stuck {
                threads: threads.collect(),
                cycle: cycle(&stuck),
            },
            values: Vec::new(),
        };
        let replay = self.finish(failure, span, None);
        Replay { stuck, ..replay }
    }

    /// Says of threads that cannot go on where the schedule ends what they wait for: they have begun the statement, and are
    /// not behind it.
    pub(super) fn note_waiting(&mut self) {
        let sources = &self.machine.xcfa.sources;
        if sources.files().is_empty() {
            return;
        }
        let line = |span: Span| (span.file, sources.place(span).line);
        for stuck in self.stuck() {
            if !self.machine.is_blocked(&self.state, Tid(stuck.thread)) {
                continue;
            }
            let mut steps = self.steps.iter_mut().rev();
            let last = steps.find(|step| step.thread == stuck.thread);
            let last = last.and_then(|step| step.statements.last_mut());
            if let Some(last) = last.filter(|last| line(last.span) == line(stuck.span)) {
                last.waits = stuck.waits;
            }
        }
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

    /// What the first label that may have to wait waits for; those before it may have computed that.
    fn waits_for(&self, tid: Tid, edge: EdgeId) -> Option<Wait> {
        // Most waits are the first label of their edge: the state, of perhaps thousands of threads, is copied only for others.
        let (mut copy, mut host) = (None, Script::default());
        for label in &self.machine.xcfa[edge].labels {
            let state = copy.as_ref().unwrap_or(&self.state);
            let name = |addr| lock_name(Named::bytes(self.namer(state), addr, 4).name);
            let value = |term| self.machine.eval(state, tid, term);
            let waits = match label {
                Label::Lock { addr, .. } => Some(Wait::Lock(name(value(*addr)))),
                Label::AwaitSignal { .. } => Some(Wait::Signal(name(state.thread(tid).waiting))),
                Label::Join { thread, .. } => {
                    Some(Wait::Thread(value(*thread).wrapping_sub(1) as u32))
                }
                // The condition is about what was read last.
                Label::Await(_) => host.accesses.last().and_then(|access| {
                    let name = Named::cell(self.namer(state), access.cell).name;
                    object_of_word(&name).map(|object| Wait::Object(object.to_owned()))
                }),
                _ => None,
            };
            if waits.is_some() {
                return waits;
            }
            let state = copy.get_or_insert_with(|| self.state.clone());
            let _ = (self.machine).step_label(state, tid, edge, label, &mut host);
        }
        None
    }
}

/// Threads each of which waits for the next one, and the last one for the first; from the lowest on.
fn cycle(stuck: &[Stuck]) -> Vec<u32> {
    let next = |from: &Stuck| {
        let on = from.on(stuck)?;
        stuck.iter().find(|other| other.thread == on)
    };
    for first in stuck {
        let mut ring = vec![first.thread];
        let mut at = first;
        while let Some(then) = next(at) {
            if then.thread == first.thread {
                return ring;
            }
            if ring.contains(&then.thread) {
                break;
            }
            ring.push(then.thread);
            at = then;
        }
    }
    Vec::new()
}
