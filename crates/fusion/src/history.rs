//! Who accessed a cell in the execution at hand.

use crate::cells::{CellId, Cells};
use crate::event::{Event, LockOp, Touch};

/// One access.
#[derive(Clone, Copy, Debug)]
struct Entry {
    event: u32,
    write: bool,
    /// Index of the last write up to this entry, plus one; 0 if there is none.
    last_write: u32,
}

/// By cell: its accesses in order.
#[derive(Debug, Default)]
pub struct History {
    cells: Vec<Vec<Entry>>,
}

impl History {
    /// Adds the accesses of an event.
    pub fn push(&mut self, cells: &Cells, index: usize, touches: &[Touch]) {
        if self.cells.len() < cells.len() {
            self.cells.resize_with(cells.len(), Vec::new);
        }
        for touch in touches {
            let list = &mut self.cells[touch.cell as usize];
            let last_write = match touch.write {
                true => list.len() as u32 + 1,
                false => list.last().map_or(0, |entry| entry.last_write),
            };
            list.push(Entry {
                event: index as u32,
                write: touch.write,
                last_write,
            });
        }
    }

    /// Takes them back.
    pub fn pop(&mut self, touches: &[Touch]) {
        for touch in touches {
            self.cells[touch.cell as usize].pop();
        }
    }

    /// Calls `found` with the events that an access has to come after: the last write of the cell
    /// and, if it is a write itself, the reads since.
    pub fn before(&self, cells: &Cells, touch: &Touch, mut found: impl FnMut(usize)) {
        self.before_in(touch.cell, touch.write, &mut found);
        for &cell in cells.neighbours(touch.cell) {
            self.before_in(cell, touch.write, &mut found);
        }
    }

    fn before_in(&self, cell: CellId, write: bool, found: &mut impl FnMut(usize)) {
        let Some(list) = self.cells.get(cell as usize) else {
            return;
        };
        let Some(last) = list.last() else {
            return;
        };
        let from = last.last_write.saturating_sub(1) as usize;
        if write {
            list[from..]
                .iter()
                .for_each(|entry| found(entry.event as usize));
        } else if last.last_write > 0 {
            found(list[from].event as usize);
        }
    }

    /// The event that a thread which wants a lock could come before instead of waiting for it,
    /// and others of which that is not certain; latest first. `known` tells which events come
    /// before the thread's step in any case.
    pub fn rivals(
        &self,
        cells: &Cells,
        lock: CellId,
        shared: bool,
        events: &[Event],
        known: impl Fn(&Event) -> bool,
        mut found: impl FnMut(usize),
    ) {
        // Other cells that overlap are initialisations and attempts (`trylock`) by other models.
        for &cell in cells.neighbours(lock) {
            let list = self.cells.get(cell as usize).map_or(&[][..], |list| list);
            for entry in list.iter().rev() {
                match known(&events[entry.event as usize]) {
                    true if entry.write => break,
                    true => {}
                    false => found(entry.event as usize),
                }
            }
        }
        let list = self.cells.get(lock as usize).map_or(&[][..], |list| list);
        for (at, entry) in list.iter().enumerate().rev() {
            let event = &events[entry.event as usize];
            // Whatever is before a write that is known is known too. Reads are not ordered among
            // themselves: somebody else's may come before one of the thread's own.
            match known(event) {
                true if entry.write => break,
                true => continue,
                false => {}
            }
            match event.lock {
                LockOp::Acquire => {
                    found(entry.event as usize);
                    break;
                }
                LockOp::AcquireRead if shared => {
                    found(entry.event as usize);
                    break;
                }
                // Before a mutex is given back by its holder it is not free.
                LockOp::Release if holds(events, &list[..at], event) => {}
                _ => found(entry.event as usize),
            }
        }
    }
}

/// Was the last operation on the lock that this thread took it?
fn holds(events: &[Event], before: &[Entry], release: &Event) -> bool {
    let last = before.iter().rev().find(|entry| entry.write);
    last.is_some_and(|entry| {
        let event = &events[entry.event as usize];
        event.lock == LockOp::Acquire && event.tid == release.tid
    })
}
