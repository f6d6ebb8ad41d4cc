//! Threads that repeat a loop without effect.

use super::Search;
use crate::cells::CellId;
use crate::event::Event;
use crate::runner::Runner;
use semantics::Tid;
use smallvec::SmallVec;
use std::hash::{DefaultHasher, Hash, Hasher};

impl Search<'_, '_> {
    /// A digest of the thread's own state, at a place that it may return to without effect.
    pub(super) fn digest(&mut self, tid: Tid) -> Option<u64> {
        let loc = self.runner.state.thread(tid).loc;
        let waits = self.runner.statics.loc(loc).idle_rounds;
        waits.then(|| self.runner.kept_digest(tid, |runner| digest(runner, tid)))
    }

    /// Has the thread come back to where it was, with only reads of shared state in between, every
    /// lock that it took unlocked again? Then it would do so until another thread changes
    /// something, and the executions in which it first reads after the change are run too.
    pub(super) fn waits_in_vain(&self, event: &Event) -> bool {
        let mut open: SmallVec<[CellId; 2]> = SmallVec::new();
        if event.digest.is_none() || !event.only_looks(&mut open) {
            return false;
        }
        if open.is_empty() && event.origin == event.digest {
            return true;
        }
        for &index in self.threads[event.tid as usize].events.iter().rev() {
            let earlier = &self.events[index as usize];
            if open.is_empty() && earlier.digest == event.digest {
                return true;
            }
            if !earlier.only_looks(&mut open) {
                return false;
            }
            if open.is_empty() && earlier.origin == event.digest {
                return true;
            }
        }
        false
    }
}

fn digest(runner: &Runner<'_, '_>, tid: Tid) -> u64 {
    let thread = runner.state.thread(tid);
    let mut hasher = DefaultHasher::new();
    thread.loc.hash(&mut hasher);
    (thread.waiting, thread.atomic_depth, thread.heap_used).hash(&mut hasher);
    thread.frames.hash(&mut hasher);
    // Frames of callers, and variables of the thread.
    thread.slots[..thread.base as usize].hash(&mut hasher);
    for &var in runner.statics.liveness.live(thread.loc) {
        let value = runner.machine.value(&runner.state, tid, var);
        value.hash(&mut hasher);
    }
    hasher.finish()
}
