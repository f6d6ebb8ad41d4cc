//! Cutting the bytes of an object into the smallest pieces that accesses distinguish.

use super::access::{Access, Accesses, Kind};
use super::conversion::Conversions;
use expr::{ObjId, Sort};
use std::collections::BTreeMap;

/// Bytes of an object that are always read and written together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) start: u64,
    pub(super) bytes: u64,
    /// A float if that is how all accesses see it, else a bit vector.
    pub(super) sort: Sort,
}

impl Piece {
    pub(super) fn end(&self) -> u64 {
        self.start + self.bytes
    }
}

/// The pieces of an object that becomes variables, in order. Bytes that are never loaded or stored
/// belong to none.
pub(super) fn pieces(
    accesses: &Accesses,
    conversions: &Conversions<'_>,
    object: ObjId,
) -> Vec<Piece> {
    let plain: Vec<&Access> = accesses
        .of_object(object)
        .filter(|access| matches!(access.kind, Kind::Load | Kind::Store))
        .filter(|access| !conversions.stays(access))
        .collect();
    // How many more accesses cover the bytes from this offset on.
    let mut cuts: BTreeMap<u64, i64> = BTreeMap::new();
    for access in &plain {
        for &at in access.offsets_in(object) {
            *cuts.entry(at).or_default() += 1;
            *cuts.entry(at + access.bytes).or_default() -= 1;
        }
    }
    let mut pieces = Vec::new();
    let mut covered = 0;
    let mut last = None;
    for (at, more) in cuts {
        if let Some(start) = last.replace(at).filter(|_| covered > 0) {
            pieces.push((start, at - start));
        }
        covered += more;
    }
    pieces
        .into_iter()
        .map(|(start, bytes)| Piece {
            start,
            bytes,
            sort: common_sort(&plain, object, start, bytes),
        })
        .collect()
}

fn common_sort(plain: &[&Access], object: ObjId, start: u64, bytes: u64) -> Sort {
    let bits = Sort::Bv(8 * bytes as u32);
    let over = plain
        .iter()
        .filter(|access| access.touches(object, start, start + bytes));
    let mut sorts = over.map(|access| match access.bytes == bytes {
        true => access.sort,
        false => bits,
    });
    let first = sorts.next().unwrap_or(bits);
    match sorts.all(|sort| sort == first) {
        true => first,
        false => bits,
    }
}
