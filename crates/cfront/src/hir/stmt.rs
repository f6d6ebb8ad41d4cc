//! Statements.

use super::{Expr, Init, LabelId, LocalId};
use xcfa::Span;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The text it comes from.
    pub span: Span,
}

impl Stmt {
    /// A statement at a place.
    pub fn new(kind: StmtKind, span: Span) -> Stmt {
        Stmt { kind, span }
    }
}

/// `case low ... high`, as bits of the switched type; signed or unsigned as that type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseRange {
    /// First value.
    pub low: u64,
    /// Last value; the same for a plain `case`.
    pub high: u64,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression for its effects.
    Expr(Expr),
    /// A local comes to life here, with its initialiser. (A static local is a global.)
    Decl(LocalId, Option<Init>),
    /// From here to the end of the block, every way out evaluates this: `cleanup` of the local declared before.
    Cleanup(Expr),
    /// A block: the locals declared directly in it die at its end.
    Block(Vec<Stmt>),
    /// `if`.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do ... while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`; the first part is a statement (a block's worth of declarations or an expression),
    /// and the locals it declares die with the loop.
    For {
        /// First part.
        init: Option<Box<Stmt>>,
        /// Condition.
        cond: Option<Expr>,
        /// Third part.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
    },
    /// `switch` over a promoted integer.
    Switch(Expr, Box<Stmt>),
    /// `case`: belongs to the innermost `switch` round it, wherever it is in the body.
    Case(CaseRange, Box<Stmt>),
    /// `default`.
    Default(Box<Stmt>),
    /// A label and the statement behind it.
    Label(LabelId, Box<Stmt>),
    /// `goto`.
    Goto(LabelId),
    /// `goto *address`, to a label of the function whose address is taken ([`Function::label_address`]).
    ///
    /// [`Function::label_address`]: super::Function::label_address
    ComputedGoto(Expr),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`; the value has the function's result type.
    Return(Option<Expr>),
}
