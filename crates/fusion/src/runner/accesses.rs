//! What an event accesses, beyond what the machine reports.

use super::Runner;
use crate::event::{Touch, Touches};
use semantics::{Access, Cell, Status, Tid};
use xcfa::EdgeId;

impl Runner<'_, '_> {
    pub(super) fn note_instances(&mut self) {
        self.instances.clear();
        let instances = self.state.memory.instances();
        self.instances
            .extend(instances.iter().map(|it| (it.base, it.size)));
    }

    /// The end of an object is an access to all of it.
    pub(super) fn log_vanished(&mut self, tid: Tid, edge: EdgeId) {
        let now = self.state.memory.instances();
        for &(start, len) in &self.instances {
            if now.binary_search_by_key(&start, |it| it.base).is_err() {
                self.oracle.log.push(Access {
                    tid,
                    edge,
                    cell: Cell::Bytes { start, len },
                    write: true,
                    atomic: true,
                });
            }
        }
    }

    pub(super) fn note_woken(&mut self, waiting: &[bool]) {
        for (index, _) in waiting.iter().enumerate().filter(|(_, waited)| **waited) {
            if self.state.threads[index].waiting == 0 {
                self.record.woken.push(Tid(index as u32));
            }
        }
    }

    /// Where a wait may end at any time, signals only check that the condition variable exists.
    pub(super) fn hide_signals(&mut self, logged: usize) {
        for access in &mut self.oracle.log[logged..] {
            if is_signal(access) {
                access.write = false;
            }
        }
    }

    /// There may be a race for the condition variable itself, but signals change nothing.
    pub(super) fn note_signal(&mut self, logged: usize) {
        let signal = self.oracle.log[logged..].iter().find(|it| is_signal(it));
        self.record.signalled = signal.map(|access| self.cells.of(access.cell));
    }

    /// The accesses of the last event, each cell once.
    pub(super) fn touches(&mut self, tid: Tid) -> Touches {
        let cells = &mut self.cells;
        let mut touches = Touches::new();
        let mut add = |cell, write: bool, atomic: bool| {
            match touches
                .iter_mut()
                .find(|touch: &&mut Touch| touch.cell == cell)
            {
                Some(touch) => {
                    touch.write |= write;
                    touch.atomic &= atomic;
                }
                None => touches.push(Touch {
                    cell,
                    write,
                    atomic,
                }),
            };
        };
        for access in &self.oracle.log {
            add(cells.of(access.cell), access.write, access.atomic);
        }
        if self.state.threads.len() as u32 > self.record.threads_before {
            add(cells.starts(), true, true);
        }
        if let Some(joined) = self.record.joined {
            add(cells.joined(joined), true, true);
        }
        // Who may join it or not would join it now.
        if self.statics.joins_or_not && self.state.thread(tid).status != Status::Running {
            add(cells.joined(tid), true, true);
        }
        if self.record.waits {
            add(cells.waiter(tid), true, true);
        }
        for &woken in &self.record.woken {
            add(cells.waiter(woken), true, true);
        }
        touches
    }
}

/// Is an access of an edge that signals, or waits for a signal, the one of the condition variable?
fn is_signal(access: &Access) -> bool {
    access.write && matches!(access.cell, Cell::Bytes { len: 1, .. })
}
