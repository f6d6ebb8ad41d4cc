//! Numbers for the places that events meet at.
//!
//! A cell is a global variable or a range of bytes as some access named it; two cells may overlap.
//! There are also cells for what is not memory: the numbering of threads, the end of a thread.
//! Numbers stay the same for the whole search, so that events of different executions can be
//! compared; where several workers search, they are the same for all of them.

use rustc_hash::FxHashMap;
use semantics::{Cell, Tid};
use std::sync::{Arc, Mutex, PoisonError};

/// A cell, by number.
pub type CellId = u32;

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Var(u32),
    Bytes(u64, u64),
    Starts,
    Joined(u32),
    Waiter(u32),
}

/// The cells that all workers have met, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Register(Arc<Mutex<Vec<Key>>>);

/// All cells met so far.
#[derive(Debug, Default)]
pub struct Cells {
    /// Where other workers look as well; what is known here is a beginning of that.
    register: Option<Register>,
    numbers: FxHashMap<Key, CellId>,
    keys: Vec<Key>,
    /// By cell: the other cells that share a byte with it.
    overlaps: Vec<Vec<CellId>>,
    /// By cell: see [`Cells::mark`].
    marks: Vec<u64>,
}

impl Cells {
    /// Numbers that other workers use too.
    pub fn shared(register: Register) -> Cells {
        Cells {
            register: Some(register),
            ..Cells::default()
        }
    }

    /// Learns of all cells that other workers have met.
    pub fn learn(&mut self) {
        let Some(register) = self.register.take() else {
            return;
        };
        let keys = register.0.lock().unwrap_or_else(PoisonError::into_inner);
        for &key in &keys[self.keys.len()..] {
            self.add(key);
        }
        drop(keys);
        self.register = Some(register);
    }

    /// The cell of an access.
    pub fn of(&mut self, cell: Cell) -> CellId {
        match cell {
            Cell::Var(var) => self.number(Key::Var(var.0)),
            Cell::Bytes { start, len } => self.number(Key::Bytes(start, len)),
        }
    }

    /// The order in which threads are started, which their handles show.
    pub fn starts(&mut self) -> CellId {
        self.number(Key::Starts)
    }

    /// Whether a thread has been joined, or (where that matters) has ended.
    pub fn joined(&mut self, tid: Tid) -> CellId {
        self.number(Key::Joined(tid.0))
    }

    /// Whether a thread waits for a signal.
    pub fn waiter(&mut self, tid: Tid) -> CellId {
        self.number(Key::Waiter(tid.0))
    }

    /// Is it about waiting for a signal?
    pub fn is_waiter(&self, cell: CellId) -> bool {
        matches!(self.keys[cell as usize], Key::Waiter(_))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The other cells that share a byte with this one.
    pub fn neighbours(&self, cell: CellId) -> &[CellId] {
        &self.overlaps[cell as usize]
    }

    /// A set of bits that has one in common with the set of every cell that shares a byte with
    /// this one: a bit of its own, and those of the cells that were there before it.
    pub fn mark(&self, cell: CellId) -> u64 {
        self.marks[cell as usize]
    }

    /// Do the two share a byte?
    pub fn overlap(&self, a: CellId, b: CellId) -> bool {
        a == b || self.overlaps[a as usize].contains(&b)
    }

    fn number(&mut self, key: Key) -> CellId {
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let Some(register) = self.register.take() else {
            return self.add(key);
        };
        let mut keys = register.0.lock().unwrap_or_else(PoisonError::into_inner);
        for &other in &keys[self.keys.len()..] {
            self.add(other);
        }
        let number = match self.numbers.get(&key) {
            Some(&known) => known,
            None => {
                keys.push(key);
                self.add(key)
            }
        };
        drop(keys);
        self.register = Some(register);
        number
    }

    fn add(&mut self, key: Key) -> CellId {
        let fresh = self.keys.len() as CellId;
        let mut around = Vec::new();
        if let Key::Bytes(start, len) = key {
            let cell = Cell::Bytes { start, len };
            for (other, &known) in self.keys.iter().enumerate() {
                let Key::Bytes(start, len) = known else {
                    continue;
                };
                if cell.overlaps(Cell::Bytes { start, len }) {
                    around.push(other as CellId);
                    self.overlaps[other].push(fresh);
                }
            }
        }
        let own = |cell: CellId| 1 << (cell % 64);
        let mark = around.iter().fold(own(fresh), |all, &it| all | own(it));
        self.marks.push(mark);
        self.numbers.insert(key, fresh);
        self.keys.push(key);
        self.overlaps.push(around);
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::VarId;

    fn bytes(start: u64, len: u64) -> Cell {
        Cell::Bytes { start, len }
    }

    /// Whatever is accessed, a number stands for one cell.
    #[test]
    fn numbers_stay() {
        let mut cells = Cells::default();
        let first = cells.of(bytes(0, 4));
        let others = [
            cells.of(Cell::Var(VarId(0))),
            cells.of(bytes(0, 8)),
            cells.starts(),
            cells.joined(Tid(1)),
            cells.waiter(Tid(1)),
        ];
        assert_eq!(cells.of(bytes(0, 4)), first);
        assert!(!others.contains(&first));
        assert_eq!(cells.len(), 6);
        assert!(cells.is_waiter(others[4]) && !cells.is_waiter(others[3]));
    }

    /// By two ranges: do they share a byte? Marks never say no where cells say yes.
    #[test]
    fn ranges_overlap_where_they_share_a_byte() {
        let cases = [
            ((0, 4), (0, 4), true),
            ((0, 4), (4, 4), false),
            ((0, 4), (3, 1), true),
            ((2, 8), (0, 4), true),
            ((0, 16), (4, 4), true),
        ];
        for ((a, len_a), (b, len_b), expected) in cases {
            let mut cells = Cells::default();
            let (a, b) = (cells.of(bytes(a, len_a)), cells.of(bytes(b, len_b)));
            assert_eq!(cells.overlap(a, b), expected);
            assert_eq!(cells.overlap(b, a), expected);
            assert!(!expected || cells.mark(a) & cells.mark(b) != 0);
        }
    }

    #[test]
    fn workers_use_the_same_numbers() {
        let register = Register::default();
        let (mut one, mut two) = (Cells::shared(register.clone()), Cells::shared(register));
        let (wide, narrow) = (bytes(0, 8), bytes(4, 4));
        let of_one = one.of(wide);
        let of_two = two.of(narrow);
        assert_ne!(of_one, of_two);
        assert_eq!((one.of(narrow), two.of(wide)), (of_two, of_one));
        one.learn();
        assert!(one.overlap(of_one, of_two) && two.overlap(of_one, of_two));
    }
}
