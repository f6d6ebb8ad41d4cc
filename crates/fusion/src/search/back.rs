//! Going back to a point where something is left to be run.

use super::Search;
use semantics::Tid;

impl Search<'_, '_> {
    /// Goes back to the last point of its own where something is left to be run; is there one?
    pub(super) fn back(&mut self) -> bool {
        while self.events.len() > self.path.len() {
            self.drop_last();
            if self.nodes[self.events.len()].has_more() {
                self.return_to(self.events.len());
                return true;
            }
        }
        false
    }

    /// Takes the last event off the stack.
    pub(super) fn drop_last(&mut self) {
        let event = self.events.last().expect("there is an event");
        self.clocks.pop();
        self.history.pop(&event.shape.touches);
        self.threads[event.tid as usize].events.pop();
        let threads = self.threads.len() - event.started as usize;
        self.threads.truncate(threads);
        let left = self.events.len() - 1;
        self.events.truncate(left);
        while self.races.last().is_some_and(|race| race.1 >= left) {
            self.races.pop();
        }
    }

    /// Makes the state that of the point before the event of this index.
    pub(super) fn return_to(&mut self, index: usize) {
        self.threads
            .iter_mut()
            .for_each(|thread| thread.blocked = false);
        let from = self.snapshots.restore(index, &mut self.runner);
        for at in from..index {
            let shape = &self.events[at].shape;
            let tid = Tid(shape.tid);
            self.runner.run(tid, &shape.answers);
            self.counters.repeated += 1;
        }
    }
}
