//! The sort of a term.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The two IEEE formats that C's `float` and `double` have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FloatKind {
    /// 32 bits.
    F32,
    /// 64 bits.
    F64,
}

/// What values a term takes; every value fits a `u64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Sort {
    /// 0 or 1.
    Bool,
    /// A bit vector of 1 to 64 bits, kept zero-extended. Signedness belongs to operations.
    Bv(u32),
    /// An IEEE float, kept by its bits.
    Float(FloatKind),
}

impl Sort {
    /// Width in bits.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::Bv(width) => width,
            Sort::Float(FloatKind::F32) => 32,
            Sort::Float(FloatKind::F64) => 64,
        }
    }

    /// How many bytes of memory a value takes.
    pub fn bytes(self) -> u64 {
        u64::from(self.width()).div_ceil(8)
    }

    /// The bits that a value of this sort can have set.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "bool"),
            Sort::Bv(width) => write!(f, "bv{width}"),
            Sort::Float(FloatKind::F32) => write!(f, "f32"),
            Sort::Float(FloatKind::F64) => write!(f, "f64"),
        }
    }
}
