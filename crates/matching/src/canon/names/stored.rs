//! What is stored in objects, and whether it can be distinguished.

use super::Kind;
use dataflow::pointsto::{Offset, Target};

/// A store to an object, of this many bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Where; anywhere if it is not known.
    pub at: Option<i64>,
    /// How many bytes.
    pub bytes: u64,
    /// What the bytes are.
    pub kind: Kind,
}

impl Stored {
    /// Can the two have a byte in common?
    pub fn overlaps(&self, other: &Stored) -> bool {
        match (self.at, other.at) {
            (Some(a), Some(b)) => {
                a < b.saturating_add_unsigned(other.bytes)
                    && b < a.saturating_add_unsigned(self.bytes)
            }
            _ => true,
        }
    }

    /// Are the two the same words?
    pub fn fits(&self, other: &Stored) -> bool {
        let aligned = |at: Option<i64>| at.is_none_or(|at| at % self.bytes as i64 == 0);
        let same = match (self.at, other.at) {
            (Some(a), Some(b)) => a == b,
            _ => aligned(self.at) && aligned(other.at),
        };
        self.bytes == other.bytes && same
    }
}

/// Where a target is in its object.
pub fn offset(target: Target) -> Option<i64> {
    match target.offset {
        Offset::At(at) => Some(at),
        Offset::Any => None,
    }
}
