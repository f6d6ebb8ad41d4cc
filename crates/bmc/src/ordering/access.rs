//! Memory while a thread is followed.

use super::Unsupported;
use super::events::{Goal, GoalKind};
use super::follow::Following;
use super::memory::{Access, Cell, Kind, PossibleCell, PossibleCells, ROOM, places};
use super::walk::Walker;
use expr::{ObjId, Op, Sort, Term, VarId};
use symbolic::Store;

impl Following<'_, '_> {
    /// A lock is written as a whole, whatever it is that happens to it.
    fn see_words(&mut self, places: &PossibleCells, bytes: u64) -> Result<(), Unsupported> {
        if !self.walker.at_end {
            return Ok(());
        }
        for place in &places.list {
            for cell in self.cells_of(place.object, place.offset, bytes)? {
                self.see_cell(cell, true, place.here);
            }
        }
        Ok(())
    }

    // Objects.

    /// A new object of this size; its address.
    pub(super) fn new_object(&mut self, object: ObjId, length: Term) -> Result<u64, Unsupported> {
        let size = self.terms().as_const(length);
        let span = self.walker.xcfa[self.effect.edge].span;
        self.walker.objects.allocate(object, size, span)?;
        if size.is_none() {
            self.limit(object, length);
        }
        let is_seen = self.walker.is_weak && self.walker.objects.is_shared(object);
        if is_seen && self.walker.objects.is_refilled(object) {
            return Err(self.unfollowed("memory that is allocated in several places"));
        }
        if self.walker.objects.is_refilled(object) {
            let cells = self.walker.objects.cells(object, 0, size.unwrap_or(0));
            let cells = cells.unwrap_or_default().into_iter();
            for cell in cells.filter(Cell::is_accessed) {
                let walker = &mut *self.walker;
                let fill = walker.objects.first(&mut walker.events.terms, cell);
                let fill = fill.unwrap_or_else(|| {
                    let sort = Sort::Bv(8 * cell.bytes as u32);
                    walker.events.unknown(sort).1
                });
                let cell = self.cell(cell);
                self.set_var(cell, fill);
            }
        }
        Ok(self.walker.objects.base(object))
    }

    /// An object of unknown size is examined up to a bound, like a loop.
    fn limit(&mut self, object: ObjId, size: Term) {
        let terms = &mut self.walker.events.terms;
        let room = terms.constant(terms.sort(size), ROOM);
        let fits = terms.binary(Op::Ule, size, room);
        let larger = terms.not(fits);
        let reached = terms.and(self.moment.guard, self.effect.condition);
        let guard = terms.and(reached, larger);
        self.effect.condition = terms.and(self.effect.condition, fits);
        self.walker.limits.insert(object, size);
        if !self.walker.at_end {
            let node = self.walker.node(self.moment);
            self.walker.events.goals.push(Goal {
                kind: GoalKind::Unwound,
                guard,
                node,
                step: None,
            });
        }
    }

    /// Freeing a null pointer is fine; anything else has to be the start of an object.
    pub(super) fn end_object(&mut self, addr: Term) -> Result<(), Unsupported> {
        let sort = self.terms().sort(addr);
        let zero = self.terms().constant(sort, 0);
        let mut valid = self.terms().eq(addr, zero);
        let objects: Vec<ObjId> = self.access().iter().flat_map(|it| it.objects()).collect();
        for object in objects {
            let start = self.walker.objects.base(object);
            let start = self.terms().constant(sort, start);
            let here = self.terms().eq(addr, start);
            if self.terms().as_const(here) == Some(0) {
                continue;
            }
            if self.walker.is_weak {
                // Memory stays as it is: others may still see it.
                valid = self.terms().or(valid, here);
                continue;
            }
            self.see_all(object, here)?;
            let flag = self.alive(object);
            // Two threads that free it race, whether or not anything else accesses it.
            self.see_cell(flag, true, here);
            let alive = self.get(flag);
            let terms = self.terms();
            let (fine, dead) = (terms.and(here, alive), terms.bool(false));
            valid = terms.or(valid, fine);
            self.set_if(flag, here, dead);
        }
        self.assume(valid)
    }

    // Places and cells.

    /// What the current label accesses; `None` if it is a condition variable that the property ignores.
    pub(super) fn access(&self) -> Option<&Access> {
        self.walker.accesses.at(self.effect.edge, self.at)
    }

    /// The places that an access can hit; it happens only if it hits one that is alive.
    pub(super) fn places(&mut self, addr: Term) -> Result<PossibleCells, Unsupported> {
        let span = self.walker.xcfa[self.effect.edge].span;
        let terms = &mut self.walker.events.terms;
        let Some(access) = self.walker.accesses.at(self.effect.edge, self.at) else {
            let (list, valid) = (Vec::new(), terms.bool(true));
            return Ok(PossibleCells { list, valid });
        };
        let found = places(terms, &self.walker.objects, access, addr, span)?;
        let mut valid = found.valid;
        for place in &found.list {
            if let Some(&size) = self.walker.limits.get(&place.object) {
                let terms = self.terms();
                let end = terms.constant(terms.sort(size), place.offset + access.bytes);
                let inside = terms.binary(Op::Ule, end, size);
                let elsewhere = terms.not(place.here);
                let fine = terms.or(elsewhere, inside);
                valid = terms.and(valid, fine);
            }
            if self.walker.objects.is_freed(place.object) && !self.walker.is_weak {
                let flag = self.alive(place.object);
                let alive = self.get(flag);
                let terms = self.terms();
                let elsewhere = terms.not(place.here);
                let fine = terms.or(elsewhere, alive);
                valid = terms.and(valid, fine);
            }
        }
        self.assume(valid)?;
        if access.kind == Kind::Lock {
            self.see_words(&found, access.bytes)?;
        }
        Ok(found)
    }

    /// What is read from `bytes` bytes, `shift` behind the places; nothing if there are none.
    pub(super) fn load_bytes(
        &mut self,
        places: &[PossibleCell],
        bytes: u64,
        shift: u64,
    ) -> Result<Option<Term>, Unsupported> {
        let mut value: Option<Term> = None;
        for place in places.iter().rev() {
            let mut whole: Option<Term> = None;
            for cell in self.cells_of(place.object, place.offset + shift, bytes)? {
                self.see_cell(cell, false, place.here);
                let part = self.get(cell);
                let terms = self.terms();
                whole = Some(whole.map_or(part, |low| terms.binary(Op::Concat, part, low)));
            }
            let Some(whole) = whole else { continue };
            let terms = self.terms();
            value = Some(value.map_or(whole, |other| terms.ite(place.here, whole, other)));
        }
        Ok(value)
    }

    pub(super) fn store_bytes(
        &mut self,
        places: &[PossibleCell],
        bits: Term,
        shift: u64,
    ) -> Result<(), Unsupported> {
        let bytes = self.terms().bytes(bits);
        let bits = self.terms().resize(bits, 8 * bytes as u32, false);
        let truth = self.terms().bool(true);
        for place in places {
            let condition = if places.len() == 1 { truth } else { place.here };
            let mut low = 0;
            for cell in self.cells_of(place.object, place.offset + shift, bytes)? {
                let width = self.sort(cell).width();
                let part = self.terms().extract(bits, low + width - 1, low);
                low += width;
                self.see_cell(cell, true, place.here);
                self.set_if(cell, condition, part);
            }
        }
        Ok(())
    }

    /// The variables of the cells of a range, the lowest first.
    pub(super) fn cells_of(
        &mut self,
        object: ObjId,
        start: u64,
        bytes: u64,
    ) -> Result<Vec<VarId>, Unsupported> {
        let Some(cells) = self.walker.objects.cells(object, start, bytes) else {
            return Err(self.unfollowed("an access at an unexpected place"));
        };
        let is_seen = self.walker.is_weak && self.walker.objects.is_shared(object);
        if is_seen && cells.len() > 1 {
            return Err(self.unfollowed("accesses of different sizes to the same memory"));
        }
        Ok(cells.into_iter().map(|cell| self.cell(cell)).collect())
    }

    pub(super) fn cell(&mut self, cell: Cell) -> VarId {
        let walker = &mut *self.walker;
        if let Some(&known) = walker.cells.get(&cell) {
            return known;
        }
        let sort = Sort::Bv(8 * cell.bytes as u32);
        let first = walker.objects.first(&mut walker.events.terms, cell);
        let first = first.unwrap_or_else(|| walker.events.unknown(sort).1);
        let var = walker.new_variable(sort, first, walker.objects.is_shared(cell.object));
        walker.cells.insert(cell, var);
        var
    }

    /// The variable that says whether a heap object has not been freed.
    fn alive(&mut self, object: ObjId) -> VarId {
        let walker = &mut *self.walker;
        if let Some(&known) = walker.alive.get(&object) {
            return known;
        }
        let truth = walker.events.terms.bool(true);
        let var = walker.new_variable(Sort::Bool, truth, walker.objects.is_shared(object));
        walker.alive.insert(object, var);
        var
    }

    /// A bit vector as a value of another sort of the same size.
    pub(super) fn as_sort(&mut self, bits: Term, sort: Sort) -> Term {
        let terms = self.terms();
        match sort {
            Sort::Float(kind) => terms.unary(Op::FloatFromBits(kind), bits),
            Sort::Bool => terms.is_nonzero(bits),
            Sort::Bv(width) => terms.resize(bits, width, false),
        }
    }
}

impl Walker<'_> {
    /// A variable that the program does not have.
    pub(super) fn new_variable(&mut self, sort: Sort, first: Term, shared: bool) -> VarId {
        let (var, _) = self.events.unknown(sort);
        self.sorts.insert(var, sort);
        self.firsts.insert(var, first);
        if shared {
            self.shared.insert(var);
            self.events.initial.insert(var, first);
        }
        var
    }
}
