//! Terms of what is in memory.

use super::shadow::Shadow;
use expr::{Sort, Term, VarId};
use semantics::{Cell, Tid};

impl Shadow<'_, '_> {
    /// Loads a variable. What is undefined in memory is an input; on an edge that is taken, the
    /// value that it had is the next of `chosen`.
    pub(super) fn load_into(
        &mut self,
        tid: Tid,
        var: VarId,
        addr: Term,
        chosen: Option<&mut dyn Iterator<Item = u64>>,
    ) -> Option<()> {
        let start = self.fix(tid, addr)?;
        let sort = self.machine.xcfa[var].sort;
        let len = u64::from(sort.width()).div_ceil(8);
        let cell = Cell::Bytes { start, len };
        let value = match self.is_undefined(start, len) {
            true => {
                let input = self.input(sort)?;
                if let Some(chosen) = chosen {
                    let was = chosen.next()? & sort.mask();
                    (self.space.eval(input) == was).then_some(())?;
                }
                // It stays what it was found to be.
                self.store(cell, input)?;
                input
            }
            false => self.load(cell, sort)?,
        };
        self.set(tid, var, value);
        Some(())
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

    fn load(&mut self, cell: Cell, sort: Sort) -> Option<Term> {
        if let Some(&known) = self.cells.get(&cell) {
            return (self.space.terms.sort(known) == sort).then_some(known);
        }
        let mut around = self.cells.iter().filter(|(other, _)| other.overlaps(cell));
        let constant = |term: &Term| self.space.terms.as_const(*term).is_some();
        if !around.all(|(other, term)| constant(term) && !self.written.contains(other)) {
            return None;
        }
        if self.written.iter().any(|other| other.overlaps(cell)) {
            return None;
        }
        let bits = self.machine.peek(&self.before, cell)?;
        Some(self.space.terms.constant(sort, bits))
    }

    pub(super) fn store(&mut self, cell: Cell, value: Term) -> Option<()> {
        let constant = |term: &Term| self.space.terms.as_const(*term).is_some();
        let mut around = self.cells.iter().filter(|(other, _)| other.overlaps(cell));
        if !around.all(|(other, term)| *other == cell || constant(term)) {
            return None;
        }
        // A term that no longer says what is there is forgotten; the machine knows.
        self.cells
            .retain(|other, _| *other == cell || !other.overlaps(cell));
        self.cells.insert(cell, value);
        self.written.push(cell);
        Some(())
    }

    /// A new object is made there: what was there is no more.
    pub(super) fn forget(&mut self, start: u64, len: u64) -> Option<()> {
        let all = Cell::Bytes { start, len };
        let inside = |cell: &Cell| match cell {
            Cell::Bytes { start: at, len: it } => start <= *at && at + it <= start + len,
            Cell::Var(_) => false,
        };
        let mut around = self.cells.keys().filter(|cell| cell.overlaps(all));
        around.all(inside).then_some(())?;
        self.cells.retain(|cell, _| !cell.overlaps(all));
        Some(())
    }

    /// Something else is written there, whose terms are not followed.
    pub(super) fn overwrite(&mut self, start: u64, len: u64) -> Option<()> {
        let all = Cell::Bytes { start, len };
        let constant = |term: &Term| self.space.terms.as_const(*term).is_some();
        let mut around = self.cells.iter().filter(|(other, _)| other.overlaps(all));
        if !around.all(|(other, term)| constant(term) && !self.written.contains(other)) {
            return None;
        }
        self.cells.retain(|other, _| !other.overlaps(all));
        self.written.push(all);
        Some(())
    }
}
