//! Places and expressions of a random program.

use super::{Field, Int};

/// Something that can be read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lvalue {
    /// A global.
    Global(usize),
    /// One byte of a global that is not atomic.
    Byte(usize, usize),
    /// An array element; the index is masked when printed.
    Element(usize, Box<Expr>),
    /// A member of a structure.
    Member(usize, Field),
    /// What a global pointer points to.
    Deref(usize),
    /// What the pointer `q` of this body points to.
    Param,
    /// The number that this body was given.
    Arg,
    /// A local.
    Local(usize),
    /// A loop counter; only ever read.
    Counter(usize),
    /// A thread-local `int`.
    ThreadLocal(usize),
}

/// An operator with one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `0u - e`.
    Neg,
    /// `~e`.
    BitNot,
    /// `!e`.
    Not,
    /// Shifted left, without sign.
    Shl(u8),
    /// Shifted right.
    Shr(u8),
    /// Divided by this positive number.
    Div(u8),
    /// The remainder by this positive number.
    Rem(u8),
    /// Converted.
    Cast(Int),
}

/// An operator with two arguments. Sums and products are computed without sign where `int` could
/// overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    LogicalAnd,
    LogicalOr,
}

/// An operator that is not defined for all operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum PartialOp {
    Div,
    Rem,
    Shl,
    Shr,
}

/// An expression without side effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Const(i64),
    /// A read.
    Read(Lvalue),
    /// One argument.
    Unary(UnaryOp, Box<Expr>),
    /// Two arguments.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Two arguments of which the second may not be defined; guarded, it always is.
    Partial(PartialOp, bool, Box<Expr>, Box<Expr>),
    /// A sum, difference or product with sign, which may overflow.
    Signed(BinaryOp, Box<Expr>, Box<Expr>),
}
