//! Expressions.

use super::{Block, TypeName};
use crate::hir::BinaryOp;
use crate::lex::{CharWidth, FloatLit, IntLit, Symbol};
use std::sync::Arc;
use xcfa::Span;

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
    /// How deep the tree below it is, so that no later stage recurses without limit.
    pub depth: u16,
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "C's own operators")]
pub enum UnaryOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddrOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

/// Adjacent string literals, joined.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct StringLit {
    /// What its elements are.
    pub width: CharWidth,
    /// The elements, without the final zero.
    pub elements: Vec<u32>,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind {
    /// A name.
    Name(Symbol),
    /// An integer constant.
    Int(IntLit),
    /// A character constant.
    Char(CharWidth, i64),
    /// A floating constant.
    Float(FloatLit),
    /// A string literal.
    Str(Arc<StringLit>),
    /// `__func__`.
    FunctionName,
    /// An operator of one operand.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic and comparisons.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&&`.
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `||`.
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `=` and `op=`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `a ? b : c`, where `b` may be missing.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// A call.
    Call(Box<Expr>, Vec<Expr>),
    /// `a.m` and, if the flag is set, `a->m`.
    Member {
        /// The record, or the pointer to it.
        base: Box<Expr>,
        /// `->`?
        arrow: bool,
        /// The member.
        name: Symbol,
    },
    /// `sizeof expression`.
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`.
    SizeofType(Box<TypeName>),
    /// `_Alignof expression`; the flag tells `__alignof__`, which on i386 differs.
    AlignofExpr(Box<Expr>, bool),
    /// `_Alignof(type)`.
    AlignofType(Box<TypeName>, bool),
    /// A cast.
    Cast(Box<TypeName>, Box<Expr>),
    /// A compound literal.
    CompoundLiteral(Box<TypeName>, Vec<InitEntry>),
    /// `({ ... })`.
    StmtExpr(Box<Block>),
    /// `_Generic`.
    Generic(Box<Expr>, Vec<GenericArm>),
    /// `__builtin_offsetof(type, path)`.
    OffsetOf(Box<TypeName>, Vec<Designator>),
    /// `__builtin_types_compatible_p(a, b)`.
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`.
    ChooseExpr(Box<[Expr; 3]>),
    /// `__builtin_va_arg(list, type)`.
    VaArg(Box<Expr>, Box<TypeName>),
    /// `&&label`.
    LabelAddr(Symbol),
    /// `__real__ z` and `__imag__ z`.
    ComplexPart(Box<Expr>),
}

/// One choice of `_Generic`.
#[derive(Debug)]
pub struct GenericArm {
    /// The type, or none for `default`.
    pub ty: Option<TypeName>,
    /// The expression.
    pub value: Expr,
}

/// What an object is set to.
#[derive(Debug)]
pub enum Initializer {
    /// An expression.
    Expr(Expr),
    /// A list in braces.
    List(Vec<InitEntry>, Span),
}

impl Initializer {
    /// Its text.
    pub fn span(&self) -> Span {
        match self {
            Initializer::Expr(expr) => expr.span,
            Initializer::List(_, span) => *span,
        }
    }
}

/// One entry of a list in braces.
#[derive(Debug)]
pub struct InitEntry {
    /// Where it goes, if that is written.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: Initializer,
}

/// One step of a path to a part of an object.
#[derive(Debug)]
pub enum Designator {
    /// `.name`.
    Member(Symbol, Span),
    /// `[index]`.
    Index(Expr),
    /// `[first ... last]`.
    Range(Expr, Expr),
}
