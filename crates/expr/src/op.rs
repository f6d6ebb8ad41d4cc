//! The operators.

use crate::{FloatKind, Sort};
use serde::{Deserialize, Serialize};

/// An operator; its arguments are in the order of SMT-LIB's operator of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are those of SMT-LIB")]
pub enum Op {
    // Booleans, and what works on every sort.
    Not,
    And,
    Or,
    Eq,
    Ite,
    // Bit vectors. Division by zero means what SMT-LIB says; the front end never lets it happen.
    Neg,
    BitNot,
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    /// Does the signed or unsigned operation leave the range of its width?
    SaddOverflow,
    SsubOverflow,
    SmulOverflow,
    UaddOverflow,
    UsubOverflow,
    UmulOverflow,
    /// Bits `hi` down to `lo`.
    Extract {
        hi: u32,
        lo: u32,
    },
    /// The first argument in the high bits.
    Concat,
    /// Extension to the given width.
    ZeroExt(u32),
    SignExt(u32),
    /// An address as an integer: the same bits. What is added to it is no longer a distance within
    /// one object, as what is added to an address is.
    AddressToInt,
    // Floats, rounding to nearest even; conversions to integers round towards zero, as C does.
    FloatNeg,
    FloatAdd,
    FloatSub,
    FloatMul,
    FloatDiv,
    FloatEq,
    FloatLt,
    FloatLe,
    FloatToFloat(FloatKind),
    FloatToSigned(u32),
    FloatToUnsigned(u32),
    SignedToFloat(FloatKind),
    UnsignedToFloat(FloatKind),
    /// The same bits as a bit vector, and back.
    FloatToBits,
    FloatFromBits(FloatKind),
}

impl Op {
    /// The sort of the result, given those of the arguments.
    pub fn result(self, args: &[Sort]) -> Sort {
        use Op::*;
        match self {
            Not | And | Or | Eq | Ult | Ule | Slt | Sle | SaddOverflow | SsubOverflow
            | SmulOverflow | UaddOverflow | UsubOverflow | UmulOverflow | FloatEq | FloatLt
            | FloatLe => Sort::Bool,
            Ite => args[1],
            Neg | BitNot | AddressToInt | Add | Sub | Mul | Udiv | Sdiv | Urem | Srem | BitAnd
            | BitOr | BitXor | Shl | Lshr | Ashr | FloatNeg | FloatAdd | FloatSub | FloatMul
            | FloatDiv => args[0],
            Extract { hi, lo } => Sort::Bv(hi - lo + 1),
            Concat => Sort::Bv(args[0].width() + args[1].width()),
            ZeroExt(width) | SignExt(width) | FloatToSigned(width) | FloatToUnsigned(width) => {
                Sort::Bv(width)
            }
            FloatToFloat(kind)
            | SignedToFloat(kind)
            | UnsignedToFloat(kind)
            | FloatFromBits(kind) => Sort::Float(kind),
            FloatToBits => Sort::Bv(args[0].width()),
        }
    }

    /// Does swapping the two arguments keep the value?
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Or
                | Eq
                | Add
                | Mul
                | BitAnd
                | BitOr
                | BitXor
                | SaddOverflow
                | SmulOverflow
                | UaddOverflow
                | UmulOverflow
                | FloatAdd
                | FloatMul
                | FloatEq
        )
    }
}
