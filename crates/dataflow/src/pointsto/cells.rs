//! The cells of memory that an access can mean, in a form that other crates can write down.

use super::spot::Spot;
use super::{PointsTo, accessed};
use expr::{ObjId, Term};
use xcfa::{Label, Xcfa};

/// The cells of so many bytes at `at + k * stride` of an object, for all whole numbers `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cells {
    /// The object, or all objects of an allocation site.
    pub object: ObjId,
    /// One of the offsets.
    pub at: i64,
    /// 0 for one offset, 1 for any.
    pub stride: i64,
    /// How many bytes one cell has.
    pub bytes: u32,
}

impl Cells {
    /// Can a cell of one be a cell of the other?
    pub fn may_equal(&self, other: &Cells) -> bool {
        self.object == other.object
            && self
                .spot()
                .meets(self.bytes, other.spot(), other.bytes)
                .is_equal
    }

    /// Can a cell of one have some bytes in common with one of the other, and not all?
    pub fn may_overlap(&self, other: &Cells) -> bool {
        self.object == other.object
            && self
                .spot()
                .meets(self.bytes, other.spot(), other.bytes)
                .overlaps
    }

    fn spot(&self) -> Spot {
        Spot::new(self.object, self.at, self.stride)
    }
}

impl PointsTo {
    /// The cells that an access of so many bytes can mean; nothing if its address may be a number, which may be the
    /// address of much.
    pub fn cells(&self, xcfa: &Xcfa, addr: Term, bytes: u32) -> Option<Vec<Cells>> {
        if self.is_number(xcfa, addr) {
            return None;
        }
        let spots = self.copied_spots(xcfa, addr).into_iter();
        Some(spots.map(|spot| spot.cells(bytes)).collect())
    }

    /// The cells that a label reads or writes; nothing if that may be much. A label that accesses no memory has none.
    pub fn touched(&self, xcfa: &Xcfa, label: &Label) -> Option<Vec<Cells>> {
        let bytes = match label {
            Label::Load { var, .. } => xcfa[*var].sort.bytes(),
            Label::Store { value, .. } => xcfa.terms.bytes(*value),
            Label::Free(_) => return Some(Vec::new()),
            _ => match label.sync_object() {
                Some((_, bytes)) => bytes,
                None => return Some(Vec::new()),
            },
        };
        let addr = accessed(label)?;
        self.cells(xcfa, addr, bytes as u32)
    }

    /// May one of these cells be read before anything is written to it, after its object was made?
    pub fn may_be_unset(&self, cells: &Cells) -> bool {
        let unset = self.unset.get(&cells.object);
        unset.is_some_and(|unset| match cells.stride {
            0 => unset.touch(cells.at, cells.at + i64::from(cells.bytes)),
            _ => !unset.is_empty(),
        })
    }
}
