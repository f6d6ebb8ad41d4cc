//! Concurrent trace programs: all orders of the events of one execution at once.
//!
//! Wang, Chaudhuri, Gupta, Yang: Symbolic pruning of concurrent program executions (ESEC/FSE 2009),
//! doi:10.1145/1595696.1595702, sections 4 and 5. From an execution, each thread is a line of
//! events; shared variables are read through pi functions, which a formula ties to some write.
//! Beside each branch that was not taken there is a phantom edge: the thread may leave the line
//! there, write anything that the code of that branch may write, and come back where the branches
//! meet.
//!
//! - [`violating_order`] forbids the phantom edges and searches for an order in which an error is
//!   reached. What is found is run on the machine before it counts.
//! - [`standing_order`] does the same for threads that are before certain events at once: a race,
//!   or a deadlock.
//! - [`safe_prefix`] allows them, so that every execution of the program is covered, and asks
//!   whether an error can be reached behind a prefix of the execution.
//!
//! Where we differ: an error may come before the end of the trace, so only what is ordered before
//! it has to be possible; a phantom edge may also write nothing.

mod build;
mod formula;
mod initial;
mod label;
mod merge;
mod phantom;
#[cfg(test)]
mod print;
mod question;
mod region;
mod solve;
mod standing;
#[cfg(test)]
mod tests;
mod value;

use crate::event::Answers;
use expr::{Term, Terms};
use semantics::Cell;
use verdict::Budget;

pub use build::build;
pub use region::Regions;
pub use solve::{safe_prefix, violating_order};
pub use standing::standing_order;

/// What an event finds in a cell: a pi function.
#[derive(Clone, Debug)]
pub struct Read {
    /// The cell.
    pub cell: Cell,
    /// The variable that stands for what is found.
    pub value: Term,
    /// It is read if this holds.
    pub guard: Term,
}

/// What an event leaves in a cell.
#[derive(Clone, Debug)]
pub struct Write {
    /// The cell.
    pub cell: Cell,
    /// The last value.
    pub value: Term,
    /// It is written if this holds.
    pub guard: Term,
}

/// An event of a trace program.
#[derive(Clone, Debug)]
pub struct Op {
    /// The thread that it belongs to.
    pub tid: u32,
    /// Which one of the execution.
    pub event: usize,
    /// The answers that its questions got; behind an order that was found, those that they have to
    /// get in it.
    pub answers: Answers,
    /// The thread comes to it if this holds.
    pub guard: Term,
    /// What must hold when it happens, or the thread has to wait.
    pub needed: Vec<Term>,
    /// Pi functions.
    pub reads: Vec<Read>,
    /// What it writes.
    pub writes: Vec<Write>,
    /// Inputs, with the values that they had.
    pub inputs: Vec<(Term, u64)>,
}

impl Op {
    /// Is every answer an input, so that it may be another one in another order?
    pub fn has_free_inputs(&self) -> bool {
        self.inputs.len() == self.answers.len()
    }
}

/// A branch that was not taken.
#[derive(Clone, Debug)]
pub struct Phantom {
    /// The thread that it belongs to.
    pub tid: u32,
    /// It is taken if this holds.
    pub guard: Term,
    /// The event before it.
    pub after: usize,
    /// The first event of the thread behind the point where the branches meet.
    pub until: Option<usize>,
    /// What it may write, among the cells that are read.
    pub cells: Vec<Cell>,
}

/// What a goal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalKind {
    /// A branch to an error.
    Error,
    /// The execution goes where the trace program does not follow: there may be an error there.
    Unclear,
}

/// Something that must not happen.
#[derive(Clone, Debug)]
pub struct Goal {
    /// During which event.
    pub op: usize,
    /// If this holds.
    pub guard: Term,
    /// An error, or not known to be none?
    pub kind: GoalKind,
}

/// Two events whose order is fixed.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The earlier one.
    pub first: Point,
    /// The later one.
    pub second: Point,
    /// Only if this holds.
    pub guard: Term,
}

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// An event happens.
    Op(usize),
    /// A thread ends.
    End(u32),
}

/// A concurrent trace program in CSSA form.
pub struct TraceProgram {
    /// Owns the terms.
    pub terms: Terms,
    /// The events, in the order of the execution.
    pub ops: Vec<Op>,
    /// Program order, start and join.
    pub order: Vec<Order>,
    /// What each cell holds at first.
    pub initial: Vec<(Cell, Term)>,
    /// Branches that were not taken.
    pub phantoms: Vec<Phantom>,
    /// What must not happen.
    pub goals: Vec<Goal>,
    /// Does it cover every execution of the program?
    pub complete: bool,
    /// How many threads there are.
    pub threads: u32,
    /// Variables from this number on are free.
    pub next_var: u32,
    /// Questions take no longer than this; not knowing means going on without.
    pub budget: Budget,
}
