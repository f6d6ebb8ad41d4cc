//! Where an address points, as far as the solver knows: an object, and a place in it or the places of
//! one member in all elements of an array.

use super::{Cells, Offset, Target};
use expr::ObjId;
use xcfa::Xcfa;

/// The offsets `at + k * stride` of an object, for all whole numbers `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Spot {
    /// The object; numbers beyond those of the program stand for numbers.
    pub(crate) object: ObjId,
    /// One of the offsets: the smallest that is not negative, if there are several.
    at: i64,
    /// 0 for one offset, 1 for any.
    stride: i64,
}

/// The distance of offsets that are not told apart any more once an object has many. A pointer that walks
/// over elements of this size stays with one member of each.
const COARSE: i64 = 32;

impl Spot {
    /// Many offsets, this one among them, of which each object has few sets.
    pub(super) fn coarser(self) -> Spot {
        match self.offset() {
            Some(at) => Spot::at(self.object, at).moved(0, COARSE),
            None => Spot::anywhere(self.object),
        }
    }

    /// Is it one of these sets?
    pub(super) fn is_coarse(self) -> bool {
        self.stride == COARSE
    }

    /// One offset.
    pub(crate) fn at(object: ObjId, at: i64) -> Spot {
        let stride = 0;
        Spot { object, at, stride }
    }

    /// The same with all parts.
    pub(super) fn new(object: ObjId, at: i64, stride: i64) -> Spot {
        Spot { object, at, stride }.moved(0, stride)
    }

    /// As cells of so many bytes.
    pub(super) fn cells(self, bytes: u32) -> Cells {
        let Spot { object, at, stride } = self;
        Cells {
            object,
            at,
            stride,
            bytes,
        }
    }

    pub(super) fn anywhere(object: ObjId) -> Spot {
        let (at, stride) = (0, 1);
        Spot { object, at, stride }
    }

    /// The offset, if only one is possible.
    pub(crate) fn offset(self) -> Option<i64> {
        (self.stride == 0).then_some(self.at)
    }

    pub(crate) fn is_anywhere(self) -> bool {
        self.stride == 1
    }

    /// Moved by `by` and any multiple of `stride`.
    pub(super) fn moved(self, by: i64, stride: i64) -> Spot {
        let stride = gcd(self.stride, stride);
        let at = self.at.wrapping_add(by);
        Spot {
            at: at.checked_rem_euclid(stride).unwrap_or(at),
            stride,
            ..self
        }
    }

    /// May it be outside of its object, and not just behind its end?
    pub(super) fn strays(self, xcfa: &Xcfa) -> bool {
        let Some(object) = xcfa.objects.get(self.object.0 as usize) else {
            return false;
        };
        let is_inside = |at: u64| object.size.is_none_or(|size| at <= size);
        let inside = |at: i64| u64::try_from(at).is_ok_and(is_inside);
        !self.offset().is_some_and(inside)
    }

    /// The first and the last offset: of several, those in the object or at its end. (Arithmetic on
    /// pointers stays there, by C's rule.)
    pub(super) fn range(self, xcfa: &Xcfa) -> (i64, i64) {
        if let Some(at) = self.offset() {
            return (at, at);
        }
        let size = xcfa[self.object].size.unwrap_or(u64::MAX);
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        let beyond = size.saturating_sub(self.at).rem_euclid(self.stride);
        (self.at, size - beyond)
    }

    /// The form that other crates see.
    pub(super) fn target(self) -> Target {
        Target::new(self.object, self.offset().map_or(Offset::Any, Offset::At))
    }

    /// How `size` bytes here and `other_size` bytes there, in the same object, can meet.
    pub(crate) fn meets(self, size: u32, other: Spot, other_size: u32) -> Meeting {
        let stride = gcd(self.stride, other.stride);
        let (size, other_size) = (i64::from(size), i64::from(other_size));
        let apart = self.at.saturating_sub(other.at);
        // The distances from the start of the other to the start of this one: nearest to zero.
        let [above, below] = match stride {
            0 => [apart, apart],
            _ => [apart.rem_euclid(stride), apart.rem_euclid(stride) - stride],
        };
        let is_equal = above == 0 && size == other_size;
        let overlaps = |distance: i64| -size < distance && distance < other_size;
        let is_other = |distance: i64| overlaps(distance) && !(is_equal && distance == 0);
        let beyond = stride != 0 && overlaps(above + stride);
        Meeting {
            is_equal,
            overlaps: is_other(above) || is_other(below) || beyond,
        }
    }
}

/// How two sets of cells can meet.
pub(crate) struct Meeting {
    /// One of each may be the same cell.
    pub(crate) is_equal: bool,
    /// One of each may have bytes in common and others not.
    pub(crate) overlaps: bool,
}

/// The greatest common divisor; zero counts as a multiple of everything.
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
