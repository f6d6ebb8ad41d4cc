//! Threads that go round a loop in vain.

use super::Search;
use crate::cells::CellId;
use crate::event::Event;
use semantics::Tid;
use smallvec::SmallVec;
use std::hash::{DefaultHasher, Hash, Hasher};

impl Search<'_, '_> {
    /// A digest of the thread's own state after an event, inside a loop.
    pub(super) fn digest(&self, tid: Tid) -> Option<u64> {
        let thread = self.runner.state.thread(tid);
        let statics = self.runner.statics;
        if !statics.loc(thread.loc).in_loop {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        thread.loc.hash(&mut hasher);
        (thread.waiting, thread.atomic_depth, thread.heap_used).hash(&mut hasher);
        thread.frames.hash(&mut hasher);
        // Frames of callers, and variables of the thread.
        thread.slots[..thread.base as usize].hash(&mut hasher);
        for &var in statics.liveness.live(thread.loc) {
            let value = self.runner.machine.value(&self.runner.state, tid, var);
            value.hash(&mut hasher);
        }
        Some(hasher.finish())
    }

    /// Has the thread come back to where it was, with only looks at what others do in between,
    /// each lock that it took given back? Then it would do so until somebody changes something,
    /// and those executions in which it looks for the first time after the change are run too.
    pub(super) fn waits_in_vain(&self, event: &Event) -> bool {
        let mut open: SmallVec<[CellId; 2]> = SmallVec::new();
        if event.digest.is_none() || !event.only_looks(&mut open) {
            return false;
        }
        if open.is_empty() && event.origin == event.digest {
            return true;
        }
        for &index in self.threads[event.shape.tid as usize].events.iter().rev() {
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
