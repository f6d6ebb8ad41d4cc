//! What the stack memory of a thread holds to which no other thread has the address.
//!
//! It is part of the state of its thread, like its variables: a thread that comes back to where it was with other
//! contents is not where it was.

use expr::ObjId;
use semantics::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

/// By cell: the object that it is part of, and its value. What was not written yet is not here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Private {
    cells: BTreeMap<Cell, (ObjId, u64)>,
}

impl Private {
    pub fn holds(&self, cell: &Cell) -> bool {
        self.cells.contains_key(cell)
    }

    pub fn value(&self, cell: &Cell) -> Option<u64> {
        self.cells.get(cell).map(|(_, value)| *value)
    }

    /// Is some of it part of another cell? The cells that are here do not overlap, so only the neighbours count.
    pub fn overlaps(&self, cell: Cell) -> bool {
        let before = self.cells.range(..cell).next_back();
        let after = self.cells.range(cell..).find(|(it, _)| **it != cell);
        [before, after]
            .into_iter()
            .flatten()
            .any(|(it, _)| it.overlaps(cell))
    }

    pub fn write(&mut self, cell: Cell, object: ObjId, value: u64) {
        self.cells.insert(cell, (object, value));
    }

    /// Objects of this kind at these addresses are gone, or new.
    pub fn forget(&mut self, addresses: Range<u64>, is_meant: impl Fn(ObjId) -> bool) {
        self.cells.retain(|cell, (object, _)| {
            let Cell::Bytes { start, .. } = cell else {
                return true;
            };
            !(addresses.contains(start) && is_meant(*object))
        });
    }
}
