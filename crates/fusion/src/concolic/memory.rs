//! Terms of what is in memory.

use super::shadow::{Shadow, Stop};
use expr::{Sort, Term};
use semantics::Cell;

impl Shadow<'_, '_> {
    /// Loads a value; what is undefined in memory is an input.
    pub(super) fn load_cell(&mut self, start: u64, sort: Sort) -> Result<Term, Stop> {
        let len = sort.bytes();
        let cell = Cell::Bytes { start, len };
        if self.is_undefined(start, len) {
            let input = self.input(sort)?;
            // It stays what it was found to be.
            self.store_cell(cell, input)?;
            return Ok(input);
        }
        if let Some(known) = self.known(cell)? {
            let fits = self.space.terms.sort(known) == sort;
            return fits.then_some(known).ok_or(Stop::Lost);
        }
        let bits = self.machine.peek(&self.before, cell).ok_or(Stop::Lost)?;
        Ok(self.space.terms.constant(sort, bits))
    }

    /// Is there no byte of which it is known what it holds? What a part is known of is not followed.
    fn is_undefined(&self, start: u64, len: u64) -> bool {
        let all = Cell::Bytes { start, len };
        let undefined = |at| {
            let byte = Cell::Bytes { start: at, len: 1 };
            self.machine.peek(&self.before, byte).is_none()
        };
        self.machine.exists(&self.before, all)
            && (start..start + len).all(undefined)
            && !self.cells.keys().any(|cell| cell.overlaps(all))
    }

    /// The term of a cell; none if the machine knows what it holds.
    pub(super) fn known(&self, cell: Cell) -> Result<Option<Term>, Stop> {
        if let Some(&known) = self.cells.get(&cell) {
            return Ok(Some(known));
        }
        let constant = |term: &Term| self.space.terms.as_const(*term).is_some();
        let mut around = self.cells.iter().filter(|(other, _)| other.overlaps(cell));
        let plain = around.all(|(_, term)| constant(term));
        let written = self.written.iter().any(|other| other.overlaps(cell));
        (plain && !written).then_some(None).ok_or(Stop::Lost)
    }

    pub(super) fn store_cell(&mut self, cell: Cell, value: Term) -> Result<(), Stop> {
        let constant = |term: &Term| self.space.terms.as_const(*term).is_some();
        let mut around = self.cells.iter().filter(|(other, _)| other.overlaps(cell));
        let plain = around.all(|(other, term)| *other == cell || constant(term));
        plain.then_some(()).ok_or(Stop::Lost)?;
        // A term that no longer says what is there is forgotten; the machine knows.
        self.cells
            .retain(|other, _| *other == cell || !other.overlaps(cell));
        self.cells.insert(cell, value);
        self.written.push(cell);
        Ok(())
    }

    /// A new object is made there: what was there is no more.
    pub(super) fn forget(&mut self, start: u64, len: u64) -> Result<(), Stop> {
        let all = Cell::Bytes { start, len };
        let inside = |cell: &Cell| match cell {
            Cell::Bytes { start: at, len: it } => start <= *at && at + it <= start + len,
            Cell::Var(_) => false,
        };
        let mut around = self.cells.keys().filter(|cell| cell.overlaps(all));
        around.all(inside).then_some(()).ok_or(Stop::Lost)?;
        self.cells.retain(|cell, _| !cell.overlaps(all));
        Ok(())
    }
}
