//! Procedures, locations and edges.

use crate::{Label, MemoryOrder, Misuse, Span};
use expr::VarId;
use std::ops::Range;

/// A procedure, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcId(pub u32);

/// A control location, by number; `xcfa[loc]` is the location itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocId(pub u32);

/// An edge, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// Why being at a location is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// `reach_error` or `__VERIFIER_error` is called, or an `assert` fails.
    Reached,
    /// A signed operation left the range of its type.
    Overflow,
    /// The threading library is misused; [`Location::misuse`] says how.
    Misuse,
    /// An access hits no object that is alive. Only models in which memory has become variables
    /// say this with a location; for a load or store the meaning of memory itself says it.
    InvalidDeref,
    /// Something other than the start of a live heap object is freed; as above.
    InvalidFree,
    /// The process ends, and a heap object may be reachable from nowhere; as above.
    InvalidMemtrack,
    /// The unrolling ends here, or what a model of the library keeps: the program goes on but the model does not.
    /// It is neither an error of the program nor the end of a run, so nothing may be concluded from being here.
    Unwound,
}

/// A control location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Whose it is.
    pub proc: ProcId,
    /// Edges that leave it.
    pub out: Vec<EdgeId>,
    /// Edges that enter it.
    pub inc: Vec<EdgeId>,
    /// Set where a thread at this location shows an error; such a location has no edges out.
    pub error: Option<ErrorKind>,
    /// How the threading library is misused, where that is the error.
    pub misuse: Option<Misuse>,
}

/// A step of one thread.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: LocId,
    /// Where it leads.
    pub target: LocId,
    /// What happens, in order, as one step.
    pub labels: Vec<Label>,
    /// Are the memory accesses of this edge atomic in the sense of the C memory model?
    pub atomic: bool,
    /// Their memory order, if they are atomic; `None` if the text does not tell. An atomic edge without
    /// labels is a fence. Sequential consistency does not look at it.
    pub order: Option<MemoryOrder>,
    /// The program text it comes from; the user's call, for a model of a library function. For a
    /// large block, the text of what others can see of it.
    pub span: Span,
    /// Of a large block: the statements that were folded into it, in order. Empty for an edge that
    /// comes from one text.
    pub statements: Vec<Statement>,
    /// Is it part of the model of a library function?
    pub modelled: bool,
}

/// Labels of a large block that come from one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// How many labels it has; none where it only leads to an error.
    pub labels: usize,
    /// The text.
    pub span: Span,
}

impl Edge {
    /// Where its labels come from: each statement with the range of its labels.
    ///
    /// Engines may rewrite the labels of a large block for themselves. Then the statements do not
    /// fit any more, and the whole edge is one.
    pub fn statements(&self) -> Vec<(Range<usize>, Span)> {
        let count: usize = self
            .statements
            .iter()
            .map(|statement| statement.labels)
            .sum();
        if self.statements.is_empty() || count != self.labels.len() {
            return vec![(0..self.labels.len(), self.span)];
        }
        let mut from = 0;
        let range = |statement: &Statement| {
            let start = from;
            from += statement.labels;
            (start..from, statement.span)
        };
        self.statements.iter().map(range).collect()
    }

    /// The statements of this edge followed by those of `next`, for an edge that does both.
    pub fn statements_with(&self, next: &Edge, next_is_error: bool) -> Vec<Statement> {
        let of = |edge: &Edge| {
            let parts = edge.statements().into_iter();
            parts.map(|(labels, span)| Statement {
                labels: labels.len(),
                span,
            })
        };
        let mut all: Vec<Statement> = of(self).chain(of(next)).collect();
        // An idle step tells nothing, unless it is the call of an error function.
        let last = all.len() - 1;
        let mut at = 0;
        all.retain(|statement| {
            at += 1;
            statement.labels > 0 || (next_is_error && at - 1 == last)
        });
        all
    }
}

/// A function of the program, or the code round a thread's start routine.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name in the program; one that wraps a function has a word in front, `thread worker`.
    pub name: String,
    /// Parameters, in order; local variables.
    pub params: Vec<VarId>,
    /// Holds the result at `exit`; a local variable.
    pub result: Option<VarId>,
    /// Where it starts.
    pub init: LocId,
    /// Where it ends.
    pub exit: LocId,
    /// Where it is defined.
    pub span: Span,
}

impl Procedure {
    /// The function of the program that it is, or that it wraps: `worker` for `thread worker`.
    pub fn function(&self) -> &str {
        self.name.rsplit(' ').next().unwrap_or(&self.name)
    }
}
