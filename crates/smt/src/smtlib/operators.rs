//! How each operator reads in SMT-LIB.

use expr::{FloatKind, Op, Sort};

/// An operator applied to texts of bits.
pub(super) enum Text {
    /// Bits or a truth value, without floats.
    Plain(String),
    /// Bits or a truth value made from floats.
    FloatCompared(String),
    /// A float.
    Float(String),
}

/// Operators whose text is a truth value.
pub(super) fn is_relation(op: Op) -> bool {
    op.result(&[Sort::Bv(8), Sort::Bv(8)]) == Sort::Bool
}

/// `Not`, `And` or `Or`.
pub(super) fn connective(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        _ => "or",
    }
}

/// A bit vector constant.
pub(super) fn number(width: u32, bits: u64) -> String {
    match width % 4 {
        0 => format!("#x{bits:0digits$x}", digits = width as usize / 4),
        _ => format!("#b{bits:0digits$b}", digits = width as usize),
    }
}

pub(super) fn as_float(sort: Sort, bits: &str) -> String {
    format!("(({}) {bits})", to_fp(sort))
}

fn to_fp(sort: Sort) -> &'static str {
    match sort {
        Sort::Float(FloatKind::F32) => "_ to_fp 8 24",
        _ => "_ to_fp 11 53",
    }
}

/// An operator of one or two arguments, except connectives and `ite`.
pub(super) fn text(op: Op, sorts: &[Sort], args: &[String]) -> Text {
    use Op::*;
    let joined = args.join(" ");
    let width = sorts[0].width();
    match op {
        Extract { hi, lo } => Text::Plain(format!("((_ extract {hi} {lo}) {joined})")),
        ZeroExt(to) => Text::Plain(format!("((_ zero_extend {}) {joined})", to - width)),
        SignExt(to) => Text::Plain(format!("((_ sign_extend {}) {joined})", to - width)),
        FloatToBits | FloatFromBits(_) | AddressToInt => Text::Plain(joined),
        FloatNeg => Text::Plain(format!(
            "(bvxor {joined} {})",
            number(width, 1 << (width - 1))
        )),
        FloatAdd | FloatSub | FloatMul | FloatDiv | FloatEq | FloatLt | FloatLe => {
            let floats: Vec<String> = args.iter().map(|arg| as_float(sorts[0], arg)).collect();
            let floats = floats.join(" ");
            match op {
                FloatAdd => Text::Float(format!("(fp.add RNE {floats})")),
                FloatSub => Text::Float(format!("(fp.sub RNE {floats})")),
                FloatMul => Text::Float(format!("(fp.mul RNE {floats})")),
                FloatDiv => Text::Float(format!("(fp.div RNE {floats})")),
                FloatEq => Text::FloatCompared(format!("(fp.eq {floats})")),
                FloatLt => Text::FloatCompared(format!("(fp.lt {floats})")),
                _ => Text::FloatCompared(format!("(fp.leq {floats})")),
            }
        }
        FloatToFloat(kind) => {
            let float = as_float(sorts[0], &joined);
            Text::Float(format!("(({}) RNE {float})", to_fp(Sort::Float(kind))))
        }
        SignedToFloat(kind) => {
            Text::Float(format!("(({}) RNE {joined})", to_fp(Sort::Float(kind))))
        }
        UnsignedToFloat(kind) => {
            let to_fp = to_fp(Sort::Float(kind)).replace("to_fp", "to_fp_unsigned");
            Text::Float(format!("(({to_fp}) RNE {joined})"))
        }
        FloatToSigned(to) => Text::FloatCompared(float_to_int(sorts[0], &joined, true, to)),
        FloatToUnsigned(to) => Text::FloatCompared(float_to_int(sorts[0], &joined, false, to)),
        _ => Text::Plain(format!("({} {joined})", name(op))),
    }
}

/// Cut to 64 bits as the evaluator does, then to the low `width` bits.
fn float_to_int(sort: Sort, bits: &str, signed: bool, width: u32) -> String {
    let x = as_float(sort, bits);
    let power = |exponent: i32| {
        let bits = match sort {
            Sort::Float(FloatKind::F32) => u64::from(2f32.powi(exponent).to_bits()),
            _ => 2f64.powi(exponent).to_bits(),
        };
        as_float(sort, &number(sort.width(), bits))
    };
    let (convert, limit, below, smallest, largest) = match signed {
        true => {
            let below = format!("(fp.lt {x} (fp.neg {}))", power(63));
            let (smallest, largest) = (i64::MIN as u64, i64::MAX as u64);
            ("fp.to_sbv", power(63), below, smallest, largest)
        }
        false => {
            let zero = as_float(sort, &number(sort.width(), 0));
            let below = format!("(fp.leq {x} {zero})");
            ("fp.to_ubv", power(64), below, 0, u64::MAX)
        }
    };
    let (smallest, largest) = (number(64, smallest), number(64, largest));
    let inside = format!("(ite {below} {smallest} ((_ {convert} 64) RTZ {x}))");
    let known = format!("(ite (fp.geq {x} {limit}) {largest} {inside})");
    let whole = format!("(ite (fp.isNaN {x}) {} {known})", number(64, 0));
    format!("((_ extract {} 0) {whole})", width - 1)
}

/// The standard name of an operator on bit vectors.
fn name(op: Op) -> &'static str {
    use Op::*;
    match op {
        Eq => "=",
        Neg => "bvneg",
        BitNot => "bvnot",
        Add => "bvadd",
        Sub => "bvsub",
        Mul => "bvmul",
        Udiv => "bvudiv",
        Sdiv => "bvsdiv",
        Urem => "bvurem",
        Srem => "bvsrem",
        BitAnd => "bvand",
        BitOr => "bvor",
        BitXor => "bvxor",
        Shl => "bvshl",
        Lshr => "bvlshr",
        Ashr => "bvashr",
        Ult => "bvult",
        Ule => "bvule",
        Slt => "bvslt",
        Sle => "bvsle",
        SaddOverflow => "bvsaddo",
        SsubOverflow => "bvssubo",
        SmulOverflow => "bvsmulo",
        UaddOverflow => "bvuaddo",
        UsubOverflow => "bvusubo",
        UmulOverflow => "bvumulo",
        Concat => "concat",
        _ => unreachable!("{op:?} is printed elsewhere"),
    }
}
