//! Terms as text, close to C so that a dump can be read beside the program.

use crate::{FloatKind, Node, ObjId, Op, Sort, Term, Terms, VarId, sign_extend};
use std::fmt::Write;

/// What to call variables and objects.
pub trait Names {
    /// The name of a variable.
    fn var(&self, var: VarId) -> String;
    /// The name of an object, without the `&` of its address.
    fn base(&self, obj: ObjId) -> String;
}

impl Terms {
    /// `term` as text.
    pub fn show(&self, term: Term, names: &dyn Names) -> String {
        let mut out = String::new();
        self.write(&mut out, term, names);
        out
    }

    fn write(&self, out: &mut String, term: Term, names: &dyn Names) {
        match self.node(term) {
            Node::Const(sort, bits) => out.push_str(&constant(sort, bits)),
            Node::Var(var, _) => out.push_str(&names.var(var)),
            Node::Base(obj, _) => {
                out.push('&');
                out.push_str(&names.base(obj));
            }
            Node::Unary(Op::Not, a) if matches!(self.node(a), Node::Binary(Op::Eq, ..)) => {
                let Node::Binary(_, x, y) = self.node(a) else {
                    unreachable!()
                };
                self.infix(out, x, "!=", y, names);
            }
            Node::Unary(op, a) => self.write_unary(out, op, a, names),
            Node::Binary(op, a, b) => match infix_symbol(op) {
                Some(symbol) => self.infix(out, a, symbol, b, names),
                None => {
                    let _ = write!(out, "{}(", function_name(op));
                    self.write(out, a, names);
                    out.push_str(", ");
                    self.write(out, b, names);
                    out.push(')');
                }
            },
            Node::Ite(c, a, b) => {
                out.push('(');
                self.write(out, c, names);
                out.push_str(" ? ");
                self.write(out, a, names);
                out.push_str(" : ");
                self.write(out, b, names);
                out.push(')');
            }
        }
    }

    fn write_unary(&self, out: &mut String, op: Op, a: Term, names: &dyn Names) {
        let prefix = match op {
            Op::Not => "!",
            Op::Neg | Op::FloatNeg => "-",
            Op::BitNot => "~",
            _ => "",
        };
        if !prefix.is_empty() {
            out.push_str(prefix);
            return self.write(out, a, names);
        }
        let _ = write!(out, "{}(", function_name(op));
        self.write(out, a, names);
        out.push(')');
    }

    fn infix(&self, out: &mut String, a: Term, symbol: &str, b: Term, names: &dyn Names) {
        out.push('(');
        self.write(out, a, names);
        let _ = write!(out, " {symbol} ");
        self.write(out, b, names);
        out.push(')');
    }
}

fn constant(sort: Sort, bits: u64) -> String {
    match sort {
        Sort::Bool => (bits != 0).to_string(),
        Sort::Bv(width) => sign_extend(bits, width).to_string(),
        Sort::Float(FloatKind::F32) => format!("{:?}f", f32::from_bits(bits as u32)),
        Sort::Float(FloatKind::F64) => format!("{:?}", f64::from_bits(bits)),
    }
}

fn infix_symbol(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::And => "&&",
        Op::Or => "||",
        Op::Eq => "==",
        Op::Add | Op::FloatAdd => "+",
        Op::Sub | Op::FloatSub => "-",
        Op::Mul | Op::FloatMul => "*",
        Op::Sdiv | Op::FloatDiv => "/",
        Op::Udiv => "/u",
        Op::Srem => "%",
        Op::Urem => "%u",
        Op::BitAnd => "&",
        Op::BitOr => "|",
        Op::BitXor => "^",
        Op::Shl => "<<",
        Op::Ashr => ">>",
        Op::Lshr => ">>u",
        Op::Slt | Op::FloatLt => "<",
        Op::Sle | Op::FloatLe => "<=",
        Op::Ult => "<u",
        Op::Ule => "<=u",
        Op::FloatEq => "==f",
        _ => return None,
    })
}

fn function_name(op: Op) -> String {
    match op {
        Op::Extract { hi, lo } => format!("bits{hi}_{lo}"),
        Op::ZeroExt(width) => format!("zext{width}"),
        Op::SignExt(width) => format!("sext{width}"),
        Op::AddressToInt => "number".into(),
        Op::FloatToFloat(FloatKind::F32) => "float".into(),
        Op::FloatToFloat(FloatKind::F64) => "double".into(),
        Op::FloatToSigned(width) => format!("int{width}"),
        Op::FloatToUnsigned(width) => format!("uint{width}"),
        Op::SignedToFloat(FloatKind::F32) => "float_of_int".into(),
        Op::SignedToFloat(FloatKind::F64) => "double_of_int".into(),
        Op::UnsignedToFloat(FloatKind::F32) => "float_of_uint".into(),
        Op::UnsignedToFloat(FloatKind::F64) => "double_of_uint".into(),
        Op::FloatFromBits(FloatKind::F32) => "float_of_bits".into(),
        Op::FloatFromBits(FloatKind::F64) => "double_of_bits".into(),
        other => {
            // `SaddOverflow` reads as `sadd_overflow`.
            let mut name = String::new();
            for c in format!("{other:?}").chars() {
                if c.is_uppercase() && !name.is_empty() {
                    name.push('_');
                }
                name.push(c.to_ascii_lowercase());
            }
            name
        }
    }
}
