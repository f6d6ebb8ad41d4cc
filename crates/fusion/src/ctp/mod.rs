//! Concurrent trace programs: all orders of the events of one execution at once.
//!
//! Wang, Chaudhuri, Gupta, Yang: Symbolic pruning of concurrent program executions (ESEC/FSE 2009),
//! doi:10.1145/1595696.1595702, section 4. From an execution, each thread is a straight line of
//! events; shared variables are read through pi functions, which a formula ties to some write. The
//! solver looks for an order in which a branch to an error is taken instead of the one that was.
//!
//! Where we differ: an error may come before the end of the trace, so only what is ordered before
//! it has to be possible; and what is found is run on the machine before it counts, so that what
//! cannot be said exactly (the contents of fresh memory) may be left open.

mod build;
mod formula;

use crate::event::Answers;
use expr::{Term, Terms};
use semantics::Cell;

pub use build::build;
pub use formula::violating_order;

/// An event of a trace program.
#[derive(Clone, Debug, Default)]
pub struct Op {
    /// Whose.
    pub tid: u32,
    /// The answers that its questions got.
    pub answers: Answers,
    /// Conditions under which it goes this way.
    pub guards: Vec<Term>,
    /// Cells that it reads from others, with the variable that stands for what it finds: a pi
    /// function.
    pub reads: Vec<(Cell, Term)>,
    /// Cells that it writes, with their last values.
    pub writes: Vec<(Cell, Term)>,
}

/// A branch to an error that an event could take.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Which event.
    pub op: usize,
    /// Under which conditions.
    pub guards: Vec<Term>,
}

/// A concurrent trace program in CSSA form.
pub struct TraceProgram {
    /// Owns the terms.
    pub terms: Terms,
    /// The events, in the order of the execution.
    pub ops: Vec<Op>,
    /// Pairs of events whose order is fixed: program order, start and join.
    pub order: Vec<(usize, usize)>,
    /// What each cell holds at first.
    pub initial: Vec<(Cell, Term)>,
    /// Branches to errors.
    pub goals: Vec<Goal>,
    /// Variables from this number on are free.
    pub next_var: u32,
}
