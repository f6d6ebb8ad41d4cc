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
    /// Unlocks a mutex.
    Release,
    /// Unlocks a reader-writer lock.
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
    /// The thread that takes the step.
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

/// Sets of bits for the accessed cells: where two share no bit, they share no cell.
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

/// An event of the current execution.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its place in the execution.
    pub index: u32,
    /// Whose it is.
    pub tid: u32,
    /// The step of the thread: its answers and accesses.
    pub shape: Arc<Shape>,
    /// How many events of its thread there are up to this one.
    pub count: u32,
    /// What it does to a lock.
    pub lock: LockOp,
    /// A condition variable that it signals or waits at, which counts as a write but changes nothing.
    pub signalled: Option<CellId>,
    /// It unlocks a lock that its thread certainly holds.
    pub unlocks_own: bool,
    /// The thread takes no step after it: it has ended, is cut off, or spins.
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
    /// Does it change nothing but the thread itself? Going backwards over a thread's events, `open`
    /// has the locks that were unlocked and whose acquisition is still to be met; a lock that its
    /// holder locked and unlocked has not changed for other threads.
    pub fn only_looks(&self, open: &mut SmallVec<[CellId; 2]>) -> bool {
        let changes = |touch: &&Touch| touch.write && self.signalled != Some(touch.cell);
        let mut writes = self.shape.touches.iter().filter(changes);
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
                self.unlocks_own
            }
            LockOp::Acquire | LockOp::AcquireRead => {
                let at = open.iter().position(|&cell| cell == write.cell);
                at.map(|at| open.remove(at)).is_some()
            }
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use expr::VarId;
    use semantics::Cell;

    /// A step of a thread that accesses variables: `r0 w2` reads variable 0 and writes variable 2.
    pub fn shape(cells: &mut Cells, tid: u32, accesses: &str) -> Arc<Shape> {
        let touch = |word: &str| Touch {
            cell: cells.of(Cell::Var(VarId(word[1..].parse().expect("a number")))),
            write: word.starts_with('w'),
            atomic: false,
        };
        let touches: Touches = accesses.split_whitespace().map(touch).collect();
        Arc::new(Shape {
            tid,
            marks: Marks::of(cells, &touches),
            touches,
            stable: true,
            ..Shape::default()
        })
    }

    /// The event of a step, with its place in the execution and among those of its thread.
    pub fn event(index: u32, count: u32, shape: Arc<Shape>, lock: LockOp) -> Event {
        Event {
            index,
            tid: shape.tid,
            shape,
            count,
            lock,
            signalled: None,
            unlocks_own: lock == LockOp::Release,
            stops: false,
            own_writes: false,
            started: 0,
            steps: Arc::new([]),
            digest: None,
            origin: None,
        }
    }

    #[test]
    fn two_accesses_conflict_if_one_writes() {
        let cases = [
            ("r0", "r0", false),
            ("r0", "w0", true),
            ("w0", "w0", true),
            ("w0", "w1", false),
            ("r0 w1", "r1 w0", true),
            ("", "w0", false),
            // Both have the same mark, which decides nothing.
            ("w0", "w64", false),
        ];
        for (one, other, expected) in cases {
            let mut cells = Cells::default();
            (0..=64).for_each(|var| _ = cells.of(Cell::Var(VarId(var))));
            let (a, b) = (shape(&mut cells, 1, one), shape(&mut cells, 2, other));
            assert_eq!(a.conflicts(&cells, &b), expected, "{one} and {other}");
            assert_eq!(b.conflicts(&cells, &a), expected, "{other} and {one}");
        }
    }

    #[test]
    fn a_step_stands_for_one_with_the_same_answers() {
        let answers = |answer| Answers::from_slice(&[answer]);
        let one = Shape {
            tid: 1,
            answers: answers(5),
            ..Shape::default()
        };
        let any = Shape {
            any_answers: true,
            ..one.clone()
        };
        assert!(one.covers(1, &answers(5)) && any.covers(1, &answers(6)));
        assert!(!one.covers(1, &answers(6)) && !any.covers(2, &answers(5)));
    }

    /// A signal changes nothing, though it is a write for whoever looks for races.
    #[test]
    fn a_signal_changes_nothing() {
        let mut cells = Cells::default();
        let mut wait = event(0, 1, shape(&mut cells, 1, "w0 w1"), LockOp::Release);
        let only_looks = |wait: &Event| wait.only_looks(&mut SmallVec::new());
        assert!(!only_looks(&wait));
        wait.signalled = Some(cells.of(Cell::Var(VarId(1))));
        assert!(only_looks(&wait));
    }

    /// Backwards over a thread's events: did it change anything that others see?
    #[test]
    fn a_critical_section_that_only_reads_changes_nothing() {
        use LockOp::{Acquire, None, Release};
        let cases: [(&[(&str, LockOp)], bool); 5] = [
            (&[("w0", Release), ("r1", None), ("w0", Acquire)], true),
            (&[("w0", Release), ("w1", None), ("w0", Acquire)], false),
            (&[("r1", None)], true),
            // It still holds the lock.
            (&[("w0", Acquire)], false),
            (&[("w0", Release), ("w1", Acquire)], false),
        ];
        for (backwards, expected) in cases {
            let (mut cells, mut open) = (Cells::default(), SmallVec::new());
            let only_looks = backwards.iter().all(|&(accesses, lock)| {
                event(0, 1, shape(&mut cells, 1, accesses), lock).only_looks(&mut open)
            });
            assert_eq!(only_looks && open.is_empty(), expected, "{backwards:?}");
        }
    }
}
