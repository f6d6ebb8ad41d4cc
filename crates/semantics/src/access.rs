//! Accesses to shared memory, as a host sees them.

use crate::Tid;
use expr::VarId;
use xcfa::EdgeId;

/// What is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A global variable.
    Var(VarId),
    /// Bytes of memory.
    Bytes {
        /// Address of the first.
        start: u64,
        /// The number of bytes.
        len: u64,
    },
}

impl Cell {
    /// Do the two have a byte in common?
    pub fn overlaps(self, other: Cell) -> bool {
        match (self, other) {
            (Cell::Var(a), Cell::Var(b)) => a == b,
            (Cell::Bytes { start: a, len: m }, Cell::Bytes { start: b, len: n }) => {
                a < b.saturating_add(n) && b < a.saturating_add(m)
            }
            _ => false,
        }
    }
}

/// One access by one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The thread.
    pub tid: Tid,
    /// During which step.
    pub edge: EdgeId,
    /// The cell that is accessed.
    pub cell: Cell,
    /// Is it a write (or a read and a write)?
    pub write: bool,
    /// Is it atomic: by its operation, or inside an atomic section?
    pub atomic: bool,
}

impl Access {
    /// Would the two race if nothing orders them?
    pub fn conflicts(&self, other: &Access) -> bool {
        self.tid != other.tid
            && (self.write || other.write)
            && !(self.atomic && other.atomic)
            && self.cell.overlaps(other.cell)
    }
}
