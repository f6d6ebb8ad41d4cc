//! What pruning requires at earlier points.
//!
//! Points learn from the races of later events which threads have to be run from them. Events
//! that are never run teach nothing. So at the points before one that is given up, the threads
//! to be run are made a persistent set by what is known of the program's text (Godefroid 1996):
//! then no race has to be seen for every execution to be covered.
//!
//! Wake-up trees rely on those events as well. A sequence that is independent of a sleeping step
//! is left out, because the executions with that step in front were run, and an event in one of
//! them that wakes it has had its race noted. Where some were given up that is not so: the points
//! on the way to them are hasty ones.

use super::Search;
use semantics::Status;
use xcfa::{EdgeId, LocId};

impl Search<'_, '_> {
    /// Makes the threads that are run from each point before `first` a persistent set.
    pub(super) fn make_persistent(&mut self, first: usize) {
        let xcfa = self.runner.machine.xcfa;
        let threads = &self.runner.state.threads;
        let mut locs: Vec<LocId> = threads.iter().map(|thread| thread.loc).collect();
        let mut alive: Vec<bool> = threads
            .iter()
            .map(|thread| thread.status == Status::Running)
            .collect();
        for index in (0..self.events.len()).rev() {
            let event = &self.events[index];
            if let Some(step) = event.steps.first() {
                locs[event.tid as usize] = xcfa[EdgeId(step.edge)].source;
                alive[event.tid as usize] = true;
            }
            if index < first {
                self.close(index, &locs, &alive);
            }
        }
    }

    /// Adds to the threads of a point those whose future may meet the next step of one of them; what
    /// will sleep from there on has not been run to every end.
    fn close(&mut self, point: usize, locs: &[LocId], alive: &[bool]) {
        let statics = self.runner.statics;
        let node = &mut self.nodes[point];
        node.hasty = true;
        let count = node.threads as usize;
        let mut set: Vec<usize> = (0..count).filter(|&tid| node.runs(tid as u32)).collect();
        let mut looked = 0;
        while looked < set.len() {
            let next = statics.futures.next(locs[set[looked]]);
            looked += 1;
            let meets = |tid: &usize| {
                !set.contains(tid) && alive[*tid] && statics.futures.all(locs[*tid]).conflicts(next)
            };
            let others: Vec<usize> = (0..count).filter(meets).collect();
            let blocks = others.iter().any(|&tid| statics.loc(locs[tid]).may_wait);
            let more = match blocks {
                // It may not be able to go on, and then it matters what lets it.
                true => (0..count).filter(|tid| !set.contains(tid)).collect(),
                false => others,
            };
            set.extend(more);
        }
        for tid in set {
            if !node.runs(tid as u32) {
                node.wake(tid as u32);
            }
        }
    }
}
