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

/// An `asm` statement, as far as anybody needs to know.
#[derive(Debug)]
pub struct AsmStmt {
    /// Why it cannot be ignored, if it cannot.
    pub effect: Option<&'static str>,
    /// Its input operands, which are evaluated.
    pub inputs: Vec<Expr>,
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
    ComputedGoto,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// `asm`.
    Asm(AsmStmt),
}
