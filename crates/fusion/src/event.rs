//! Events: what one thread does between two points where others may come in.

use crate::cells::{CellId, Cells};
use semantics::Step;
use smallvec::SmallVec;
use std::sync::Arc;

/// An access of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// What is accessed.
    pub cell: CellId,
    /// Is it changed?
    pub write: bool,
    /// Is the access atomic?
    pub atomic: bool,
}

/// The accesses of an event.
pub type Touches = SmallVec<[Touch; 3]>;

/// Answers to the questions that an event asked.
pub type Answers = SmallVec<[u64; 1]>;

/// What an event does to a lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockOp {
    /// Nothing, or not as a lock operation.
    #[default]
    None,
    /// Takes it alone.
    Acquire,
    /// Takes it as a reader.
    AcquireRead,
    /// Gives a mutex back.
    Release,
    /// Gives a reader-writer lock back.
    ReleaseShared,
}

impl LockOp {
    /// Can the event be blocked?
    pub fn blocks(self) -> bool {
        matches!(self, LockOp::Acquire | LockOp::AcquireRead)
    }
}

/// What is known of a step of a thread when it is compared with others.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Whose step.
    pub tid: u32,
    /// With which answers.
    pub answers: Answers,
    /// Its accesses.
    pub touches: Touches,
    /// Would it access the same cells, in the same way, whatever others did before it?
    pub stable: bool,
    /// It stands for the step with any answers, and the accesses are those of all of them.
    pub any_answers: bool,
    /// A summary of the accesses.
    pub marks: Marks,
}

/// Sets of bits that stand for the cells that are accessed: where two have no bit in common, neither
/// have the cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks {
    read: u64,
    written: u64,
}

impl Marks {
    /// Of some accesses.
    pub fn of(cells: &Cells, touches: &[Touch]) -> Marks {
        let mut marks = Marks::default();
        for touch in touches {
            match touch.write {
                true => marks.written |= cells.mark(touch.cell),
                false => marks.read |= cells.mark(touch.cell),
            }
        }
        marks
    }

    /// Adds other accesses.
    pub fn add(&mut self, other: Marks) {
        self.read |= other.read;
        self.written |= other.written;
    }

    /// May one of these and one of those access the same, and one of the two write it?
    pub fn may_conflict(self, other: Marks) -> bool {
        let written = self.written & (other.read | other.written);
        written | (self.read & other.written) != 0
    }
}

impl Shape {
    /// Is a step with these answers one that this stands for?
    pub fn covers(&self, tid: u32, answers: &Answers) -> bool {
        self.tid == tid && (self.any_answers || self.answers == *answers)
    }

    /// Does the order of the two matter?
    pub fn conflicts(&self, cells: &Cells, other: &Shape) -> bool {
        if !self.marks.may_conflict(other.marks) {
            return false;
        }
        self.touches.iter().any(|a| {
            other
                .touches
                .iter()
                .any(|b| (a.write || b.write) && cells.overlap(a.cell, b.cell))
        })
    }
}

/// An event of the execution at hand.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its place in the execution.
    pub index: u32,
    /// Whose it is.
    pub tid: u32,
    /// Who, what, and how.
    pub shape: Arc<Shape>,
    /// How many events of its thread there are up to this one.
    pub count: u32,
    /// What it does to a lock.
    pub lock: LockOp,
    /// The thread takes no step after it: it has ended, or is cut off, or waits in vain.
    pub stops: bool,
    /// It changed memory or globals that no other thread uses.
    pub own_writes: bool,
    /// Threads that it started.
    pub started: u32,
    /// Its steps.
    pub steps: Arc<[Step]>,
    /// Inside a loop: a digest of the thread's own state after it.
    pub digest: Option<u64>,
    /// The same before it, for the first event of a thread.
    pub origin: Option<u64>,
}

impl Event {
    /// Does it change nothing but the thread itself? Going backwards over a thread's events,
    /// `open` has the locks that were given back and whose acquisition is still to be met; a lock
    /// that was taken and given back is nothing that others miss.
    pub fn only_looks(&self, open: &mut SmallVec<[CellId; 2]>) -> bool {
        let mut writes = self.shape.touches.iter().filter(|touch| touch.write);
        let write = writes.next();
        if self.started > 0 || self.own_writes || writes.next().is_some() {
            return false;
        }
        let Some(write) = write else {
            return true;
        };
        match self.lock {
            LockOp::None => false,
            LockOp::Release | LockOp::ReleaseShared => {
                open.push(write.cell);
                true
            }
            LockOp::Acquire | LockOp::AcquireRead => {
                let at = open.iter().position(|&cell| cell == write.cell);
                at.map(|at| open.remove(at)).is_some()
            }
        }
    }
}
