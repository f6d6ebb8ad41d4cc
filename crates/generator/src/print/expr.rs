//! Expressions and places as C.
//!
//! Arithmetic whose operands could leave `int` is computed without sign (`0u + e`), whatever the
//! shrinker makes of the tree: the text never overflows a signed type, unless the tree says that
//! it may.

use super::type_name;
use crate::program::{BinaryOp, Expr, Field, Int, Lvalue, PartialOp, Program, UnaryOp};

impl Program {
    pub(super) fn place(&self, place: &Lvalue) -> String {
        match place {
            Lvalue::Global(at) => format!("g{at}"),
            Lvalue::Byte(at, byte) => {
                format!(
                    "((unsigned char *)&g{at})[{}]",
                    byte % self.globals[*at].ty.size()
                )
            }
            Lvalue::Element(array, index) => {
                let mask = self.arrays[*array].init.len() - 1;
                match **index {
                    Expr::Const(index) => format!("a{array}[{}]", index & mask as i64),
                    ref index => format!("a{array}[{} & {mask}]", self.expr(index)),
                }
            }
            Lvalue::Member(record, Field::Char) => format!("r{record}.c"),
            Lvalue::Member(record, Field::Number) => format!("r{record}.n"),
            Lvalue::Member(record, Field::Low) => format!("r{record}.b"),
            Lvalue::Member(record, Field::High) => format!("r{record}.d"),
            Lvalue::Deref(pointer) => format!("*p{pointer}"),
            Lvalue::Param => "*q".into(),
            Lvalue::Arg => "arg".into(),
            Lvalue::Local(at) => format!("l{at}"),
            Lvalue::Counter(at) => format!("i{at}"),
            Lvalue::ThreadLocal(at) => format!("tl{at}"),
        }
    }

    /// The expression, safe to put next to any operator.
    pub(super) fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(number) if *number < 0 => format!("({number})"),
            Expr::Const(number) => number.to_string(),
            Expr::Read(place) => self.place(place),
            Expr::Unary(op, arg) => {
                let text = self.expr(arg);
                match op {
                    UnaryOp::Neg => format!("(0u - {text})"),
                    UnaryOp::BitNot => format!("(~{text})"),
                    UnaryOp::Not => format!("(!{text})"),
                    UnaryOp::Shl(by) => format!("((0u + {text}) << {by})"),
                    UnaryOp::Shr(by) => format!("({text} >> {by})"),
                    UnaryOp::Div(by) => format!("({text} / {by})"),
                    UnaryOp::Rem(by) => format!("({text} % {by})"),
                    UnaryOp::Cast(ty) => format!("(({}){text})", type_name(*ty)),
                }
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Cond(cond, yes, no) => {
                format!(
                    "({} ? {} : {})",
                    self.expr(cond),
                    self.expr(yes),
                    self.expr(no)
                )
            }
            Expr::Partial(op, guarded, left, right) => self.partial(*op, *guarded, left, right),
            Expr::Signed(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                format!("({left} {} {right})", binary_text(*op))
            }
        }
    }

    /// A guard makes the divisor positive, and the amount of a shift small.
    fn partial(&self, op: PartialOp, guarded: bool, left: &Expr, right: &Expr) -> String {
        let (left, right) = (self.expr(left), self.expr(right));
        let (text, guard) = match op {
            PartialOp::Div => ("/", "& 3) + 1)"),
            PartialOp::Rem => ("%", "& 3) + 1)"),
            PartialOp::Shl => ("<<", "& 7))"),
            PartialOp::Shr => (">>", "& 7))"),
        };
        // A shift to the left must not reach the sign.
        let left = match op {
            PartialOp::Shl => format!("(0u + {left})"),
            _ => left,
        };
        match guarded {
            true => format!("({left} {text} (({right} {guard})"),
            false => format!("({left} {text} {right})"),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> String {
        let narrow = self.is_narrow(left) && self.is_narrow(right);
        let can_overflow = match op {
            BinaryOp::Add | BinaryOp::Sub => !narrow,
            BinaryOp::Mul => true,
            _ => false,
        };
        let (left, right) = (self.expr(left), self.expr(right));
        let op = binary_text(op);
        if can_overflow {
            format!("((0u + {left}) {op} {right})")
        } else {
            format!("({left} {op} {right})")
        }
    }

    /// Are all values of the expression well within `int`, and its type `int` after promotion?
    fn is_narrow(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(number) => number.abs() <= i64::from(i16::MAX),
            Expr::Read(place) => self.place_type(place).is_narrow(),
            Expr::Unary(op, _) => match op {
                UnaryOp::Not => true,
                UnaryOp::Cast(ty) => ty.is_narrow(),
                _ => false,
            },
            Expr::Binary(op, ..) => is_comparison(*op),
            Expr::Cond(_, yes, no) => self.is_narrow(yes) && self.is_narrow(no),
            Expr::Partial(..) | Expr::Signed(..) => false,
        }
    }

    pub(crate) fn place_type(&self, place: &Lvalue) -> Int {
        match place {
            Lvalue::Global(at) => self.globals[*at].ty,
            Lvalue::Byte(..) => Int::U8,
            Lvalue::Element(array, _) => self.arrays[*array].element,
            Lvalue::Member(_, Field::Char) => Int::I8,
            // Bit-fields narrower than `int` are promoted to `int`.
            Lvalue::Member(_, Field::Low | Field::High) => Int::U8,
            Lvalue::Member(_, Field::Number)
            | Lvalue::Deref(_)
            | Lvalue::Param
            | Lvalue::Arg
            | Lvalue::Local(_)
            | Lvalue::Counter(_)
            | Lvalue::ThreadLocal(_) => Int::I32,
        }
    }
}

/// The operator as C writes it.
pub(super) fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::LogicalAnd
            | BinaryOp::LogicalOr
    )
}
