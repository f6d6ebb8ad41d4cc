//! Which events accessed a cell in the current execution.

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
            // themselves: another thread's may come before one of the thread's own.
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
                // Before its holder unlocks a mutex, the mutex is not free.
                LockOp::Release if holds(events, &list[..at], event) => {}
                _ => found(entry.event as usize),
            }
        }
    }
}

impl History {
    /// Does the thread that now unlocks this lock hold it for certain? A lock that others have
    /// unlocked before, or changed in other ways, has no certain holder.
    pub fn unlocks_own(&self, cells: &Cells, lock: CellId, tid: u32, events: &[Event]) -> bool {
        let list = self.cells.get(lock as usize).map_or(&[][..], |list| list);
        let writes = || list.iter().rev().filter(|entry| entry.write);
        let operation = |entry: &Entry| &events[entry.event as usize];
        let others_share = |event: &Event| match event.lock {
            LockOp::AcquireRead => true,
            LockOp::ReleaseShared => event.unlocks_own,
            _ => false,
        };
        let taken = writes().map(|entry| (entry.event, operation(entry)));
        let mut taken = taken.skip_while(|(_, event)| event.tid != tid && others_share(event));
        let Some((index, event)) = taken.next() else {
            return false;
        };
        let last = writes().next().map(|entry| entry.event);
        let holds = event.tid == tid
            && (event.lock == LockOp::AcquireRead
                || event.lock == LockOp::Acquire && last == Some(index));
        let changed = |&cell: &CellId| {
            let list = self.cells.get(cell as usize).map_or(&[][..], |list| list);
            list.iter().any(|entry| entry.write && entry.event > index)
        };
        holds && !cells.neighbours(lock).iter().any(changed)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{tests::event, tests::shape};

    /// An execution of events `(thread, accesses, lock operation)`, with its history.
    fn run(steps: &[(u32, &str, LockOp)]) -> (Cells, History, Vec<Event>) {
        let (mut cells, mut history) = (Cells::default(), History::default());
        let mut events: Vec<Event> = Vec::new();
        for (at, &(tid, accesses, lock)) in steps.iter().enumerate() {
            let shape = shape(&mut cells, tid, accesses);
            history.push(&cells, at, &shape.touches);
            events.push(event(at as u32, 1, shape, lock));
        }
        (cells, history, events)
    }

    #[test]
    fn an_access_comes_after_the_last_write_and_a_write_after_reads() {
        let none = LockOp::None;
        let steps = [
            (0, "w0", none),
            (1, "w0", none),
            (2, "r0", none),
            (3, "r0", none),
        ];
        let (mut cells, mut history, events) = run(&steps);
        let mut before = |history: &History, accesses: &str| {
            let (mut found, shape) = (Vec::new(), shape(&mut cells, 4, accesses));
            history.before(&cells, &shape.touches[0], |event| found.push(event));
            found
        };
        assert_eq!(before(&history, "r0"), [1]);
        assert_eq!(before(&history, "w0"), [1, 2, 3]);
        assert!(before(&history, "w1").is_empty());
        history.pop(&events[3].shape.touches);
        assert_eq!(before(&history, "w0"), [1, 2]);
    }

    /// A thread that wants lock 0 could come before its last acquisition; not between that and the
    /// release by its holder, where the lock is taken.
    #[test]
    fn the_rival_for_a_lock_is_its_acquisition() {
        let steps = [
            (1, "w0", LockOp::Acquire),
            (1, "w0", LockOp::Release),
            (2, "w0", LockOp::Acquire),
            (2, "w0", LockOp::Release),
        ];
        let (cells, history, events) = run(&steps);
        let rivals = |known: &[u32]| {
            let mut found = Vec::new();
            let known = |event: &Event| known.contains(&event.index);
            history.rivals(&cells, 0, false, &events, known, |event| found.push(event));
            found
        };
        assert_eq!(rivals(&[]), [2]);
        assert!(rivals(&[0, 1, 2, 3]).is_empty());
    }

    #[test]
    fn only_the_last_owner_unlocks_what_is_its_own() {
        type Steps = [(u32, &'static str, LockOp)];
        let cases: [(&Steps, bool); 4] = [
            (&[(1, "w0", LockOp::Acquire)], true),
            (&[(2, "w0", LockOp::Acquire)], false),
            (
                &[(1, "w0", LockOp::Acquire), (2, "w0", LockOp::Release)],
                false,
            ),
            (
                &[(1, "w0", LockOp::Acquire), (2, "w0", LockOp::None)],
                false,
            ),
        ];
        for (steps, expected) in cases {
            let (cells, history, events) = run(steps);
            let own = history.unlocks_own(&cells, 0, 1, &events);
            assert_eq!(own, expected, "{steps:?}");
        }
    }
}
