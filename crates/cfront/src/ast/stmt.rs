//! Statements.

use super::{Declaration, Expr};
use crate::lex::Symbol;
use xcfa::Span;

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

impl Stmt {
    /// A statement at a place.
    pub fn new(kind: StmtKind, span: Span) -> Stmt {
        Stmt { kind, span }
    }
}

/// `{ ... }`.
#[derive(Debug)]
pub struct Block {
    /// Names in `__label__` declarations, which make labels local to the block.
    pub labels: Vec<Symbol>,
    /// Its statements.
    pub stmts: Vec<Stmt>,
    /// Its text.
    pub span: Span,
}

/// The first part of a `for`.
#[derive(Debug)]
pub enum ForInit {
    /// A declaration.
    Declaration(Declaration),
    /// An expression.
    Expr(Expr),
}

/// An `asm` statement.
#[derive(Debug, Default)]
pub struct AsmStmt {
    /// The instructions.
    pub template: String,
    /// What it sets.
    pub outputs: Vec<AsmOperand>,
    /// What it is given.
    pub inputs: Vec<AsmOperand>,
    /// Is memory among the things that it changes?
    pub changes_memory: bool,
    /// `asm goto`?
    pub jumps: bool,
}

/// An operand of `asm`.
#[derive(Debug)]
pub struct AsmOperand {
    /// Its name in the instructions, if it has one.
    pub name: Option<Symbol>,
    /// Where it may be, and whether it is read or written.
    pub constraint: String,
    /// What it is.
    pub expr: Expr,
}

/// What a statement is.
#[derive(Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression.
    Expr(Expr),
    /// A declaration.
    Declaration(Declaration),
    /// A block.
    Block(Block),
    /// `if`, with its chain of `else if`.
    If(Vec<(Expr, Stmt)>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`.
    For {
        /// First part.
        init: Option<ForInit>,
        /// Condition.
        cond: Option<Expr>,
        /// Third part.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
    },
    /// `switch`.
    Switch(Expr, Box<Stmt>),
    /// `case a:` and `case a ... b:`; what they label follows in the same block.
    Case(Expr, Option<Expr>),
    /// `default:`.
    Default,
    /// `name:`.
    Label(Symbol),
    /// `goto name`.
    Goto(Symbol),
    /// `goto *address`.
    ComputedGoto(Expr),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// `asm`.
    Asm(AsmStmt),
}
