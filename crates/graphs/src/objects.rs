//! What is known of objects that are made while the program runs.

use semantics::Cell;

/// An object: who made it, and where it is.
#[derive(Clone, Debug)]
struct Made {
    thread: u32,
    base: u64,
    size: u64,
    zeroed: bool,
    /// Was there one at the same address before? What that held is not what this one holds.
    again: bool,
    /// What its maker has written since.
    written: Vec<Cell>,
}

impl Made {
    fn holds(&self, cell: Cell) -> bool {
        match cell {
            Cell::Bytes { start, len } => {
                self.base <= start && start.saturating_add(len) <= self.base + self.size
            }
            Cell::Var(_) => false,
        }
    }
}

/// The objects that were made so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    made: Vec<Made>,
}

impl Objects {
    /// A thread has made an object.
    pub fn add(&mut self, thread: u32, (base, size): (u64, u64), zeroed: bool) {
        let before = self.made.len();
        self.made.retain(|it| it.base != base);
        self.made.push(Made {
            thread,
            base,
            size,
            zeroed,
            again: self.made.len() < before,
            written: Vec::new(),
        });
    }

    /// A thread has written a cell.
    pub fn written(&mut self, thread: u32, cell: Cell) {
        let own = self.made.iter_mut();
        for it in own.filter(|it| it.again && it.thread == thread && it.holds(cell)) {
            it.written.push(cell);
        }
    }

    /// May what a thread reads be what an older object at the same address held?
    pub fn may_be_stale(&self, thread: u32, cell: Cell) -> bool {
        self.made.iter().any(|it| {
            it.again && it.holds(cell) && (it.thread != thread || !it.written.contains(&cell))
        })
    }

    /// Does the cell hold zero at first?
    pub fn is_zeroed(&self, cell: Cell) -> bool {
        self.made.iter().any(|it| it.zeroed && it.holds(cell))
    }
}
