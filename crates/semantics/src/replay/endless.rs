//! Replaying executions that never end.

use super::{Mismatch, Replay, Run};
use crate::failure::{Failure, What};
use crate::{Tid, Trace};

impl Run<'_, '_> {
    /// An endless execution: its loop leads back to a state that it has been in, and every thread
    /// moves or is blocked somewhere in it.
    pub(super) fn endless(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        self.advance(&trace.steps, 0)?;
        let Some(start) = trace.loop_start.filter(|&start| start < trace.steps.len()) else {
            if !self.machine.is_deadlock(&self.state) {
                return Err(Mismatch::NoViolation);
            }
            return Ok(self.finish_stuck(trace.violation));
        };
        // The first round may still overwrite values that are never read again; after a few
        // rounds the state must repeat exactly.
        let shown = self.steps.len();
        let spurious = self.spurious;
        for _ in 0..4 {
            let before = self.state.clone();
            let mut starved: Vec<Tid> = before.running().collect();
            let mut always_held = true;
            for (offset, step) in trace.steps[start..].iter().enumerate() {
                let state = &self.state;
                always_held &= state.holder.is_some();
                starved.retain(|&tid| tid.0 != step.thread && !self.machine.is_blocked(state, tid));
                self.advance(std::slice::from_ref(step), start + offset)?;
            }
            if self.spurious > spurious {
                return Err(Mismatch::Spurious);
            }
            if self.state == before {
                if !starved.is_empty() && !always_held {
                    return Err(Mismatch::Unfair);
                }
                self.steps.truncate(shown);
                let span = self.steps.last().map(super::ReplayStep::last_span);
                let failure = Failure {
                    violation: trace.violation,
                    place: span.and_then(|span| self.place(span)),
                    what: What::Endless {
                        first: start + 1,
                        last: shown,
                    },
                    values: Vec::new(),
                };
                return Ok(self.finish(failure, span, None));
            }
        }
        Err(Mismatch::NoViolation)
    }
}
