//! Whether addresses of two different objects can be the same number.
//!
//! Objects do not overlap. If `x + i` is `y + k`, then `y` starts at least the size of `x` behind
//! `x`, or the other way round. Inside two objects that never happens; an address behind the end of one
//! may be the start of the next. Only string literals may share a place, and an empty object may be where
//! another one is.

use super::PointsTo;
use super::spot::Spot;
use expr::{ObjId, Term};
use xcfa::{ObjectKind, Xcfa};

/// How near to each other the objects of two addresses would have to be for the addresses to be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Neighbours {
    /// They are never equal, or of one object.
    Apart,
    /// The end of one may be the start of the other, or they may share a place.
    Touch,
    /// One is certainly outside of its object, as far away as the other may be.
    Beyond,
}

impl PointsTo {
    /// Where copies of addresses in two terms may be equal though they are of different objects.
    /// Of an object that `exists_once`, there is only one instance.
    pub fn neighbours(
        &self,
        xcfa: &Xcfa,
        [a, b]: [Term; 2],
        exists_once: impl Fn(ObjId) -> bool,
    ) -> Neighbours {
        let is_object = |spot: &Spot| (spot.object.0 as usize) < xcfa.objects.len();
        let [a, b] = [a, b].map(|term| self.held(xcfa, term));
        let mut found = Neighbours::Apart;
        for first in a.iter().filter(|spot| is_object(spot)) {
            for second in b.iter().filter(|spot| is_object(spot)) {
                if first.object != second.object || !exists_once(first.object) {
                    found = found.max(of_spots(xcfa, *first, *second));
                }
            }
        }
        found
    }
}

fn of_spots(xcfa: &Xcfa, a: Spot, b: Spot) -> Neighbours {
    if [a, b].iter().all(|spot| xcfa[spot.object].literal) {
        return Neighbours::Touch;
    }
    // Nothing is said about how large memory of unknown size is, but that it has a first byte; and that
    // the library gives away no empty memory.
    let size = |spot: Spot| {
        let object = &xcfa[spot.object];
        let least = u64::from(object.kind == ObjectKind::Heap);
        let size = object.size.unwrap_or(1).max(least);
        i64::try_from(size).unwrap_or(i64::MAX)
    };
    let (range_a, range_b) = (a.range(xcfa), b.range(xcfa));
    let reaches = |from: (i64, i64), size: i64, to: (i64, i64)| from.1.saturating_sub(to.0) >= size;
    if !reaches(range_a, size(a), range_b) && !reaches(range_b, size(b), range_a) {
        return Neighbours::Apart;
    }
    let is_outside = |spot: Spot| spot.offset().is_some() && spot.strays(xcfa);
    match is_outside(a) || is_outside(b) {
        true => Neighbours::Beyond,
        false => Neighbours::Touch,
    }
}
