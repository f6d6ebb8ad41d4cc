//! Loads, stores, locks and allocations while a thread is followed.

use super::Refusal;
use super::events::{Goal, GoalKind};
use super::memory::{Access, Cell, Places, ROOM, places, to_bits};
use super::step::Effect;
use super::walk::{Moment, Walker};
use expr::{ObjId, Op, Sort, Term, VarId};
use xcfa::LockMode;

impl Walker<'_> {
    pub(super) fn load_label(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        var: VarId,
        addr: Term,
        at: usize,
    ) -> Result<(), Refusal> {
        let places = self.places(moment, effect, addr, at)?;
        let sort = self.sort(var);
        let bits = self.load(moment, effect, &places, self.access(effect, at).bytes, 0)?;
        let value = match bits {
            Some(bits) => self.as_sort(bits, sort),
            None => self.events.terms.constant(sort, 0),
        };
        effect.chosen.push((var, value));
        self.set(moment, effect, var, value);
        Ok(())
    }

    pub(super) fn store_label(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        addr: Term,
        value: Term,
        at: usize,
    ) -> Result<(), Refusal> {
        let value = self.eval(moment, effect, value);
        let places = self.places(moment, effect, addr, at)?;
        let bits = to_bits(&mut self.events.terms, value);
        self.store(moment, effect, &places, bits, 0)
    }

    // Locks: the owner's handle in the first word, the number of readers in the second.

    pub(super) fn lock(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        addr: Term,
        mode: LockMode,
        at: usize,
    ) -> Result<(), Refusal> {
        let places = self.places(moment, effect, addr, at)?;
        self.see_words(effect, &places, at)?;
        let zero = self.events.terms.bv(32, 0);
        let Some(owner) = self.load(moment, effect, &places, 4, 0)? else {
            return Ok(());
        };
        let free = self.events.terms.eq(owner, zero);
        self.wait_until(effect, free);
        if mode == LockMode::Read || mode == LockMode::Write {
            let readers = self.load(moment, effect, &places, 4, 4)?.unwrap_or(zero);
            if mode == LockMode::Read {
                let one = self.events.terms.bv(32, 1);
                let more = self.events.terms.add(readers, one);
                return self.store(moment, effect, &places, more, 4);
            }
            let none = self.events.terms.eq(readers, zero);
            self.wait_until(effect, none);
        }
        let handle = self.get(moment, effect, self.xcfa.self_var);
        let handle = self.events.terms.resize(handle, 32, false);
        self.store(moment, effect, &places, handle, 0)
    }

    pub(super) fn unlock(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        addr: Term,
        mode: LockMode,
        at: usize,
    ) -> Result<(), Refusal> {
        let places = self.places(moment, effect, addr, at)?;
        self.see_words(effect, &places, at)?;
        let zero = self.events.terms.bv(32, 0);
        if mode == LockMode::Exclusive {
            return self.store(moment, effect, &places, zero, 0);
        }
        let owner = self.load(moment, effect, &places, 4, 0)?.unwrap_or(zero);
        let count = self.load(moment, effect, &places, 4, 4)?.unwrap_or(zero);
        let terms = &mut self.events.terms;
        let (owned, none) = (terms.ne(owner, zero), terms.eq(count, zero));
        let one = terms.bv(32, 1);
        let fewer = terms.binary(Op::Sub, count, one);
        let unchanged = terms.or(owned, none);
        let left = terms.ite(unchanged, count, fewer);
        self.store(moment, effect, &places, left, 4)?;
        self.store(moment, effect, &places, zero, 0)
    }

    /// A condition variable has no contents, but using it is an access.
    pub(super) fn see_condition(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        cond: Term,
        at: usize,
    ) -> Result<(), Refusal> {
        let places = self.places(moment, effect, cond, at)?;
        self.see_words(effect, &places, at)
    }

    /// A lock is written as a whole, whatever it is that happens to it.
    fn see_words(&mut self, effect: &Effect, places: &Places, at: usize) -> Result<(), Refusal> {
        if !self.at_end {
            return Ok(());
        }
        let bytes = self.access(effect, at).bytes;
        for place in &places.list {
            for cell in self.cells_of(effect, place.object, place.offset, bytes)? {
                self.see_cell(effect, cell, true, place.here);
            }
        }
        Ok(())
    }

    // Objects.

    pub(super) fn alloc(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        var: VarId,
        object: ObjId,
        size: Term,
    ) -> Result<(), Refusal> {
        let length = self.eval(moment, effect, size);
        let size = self.events.terms.as_const(length);
        let span = self.xcfa[effect.edge].span;
        self.objects.allocate(object, size, span)?;
        if size.is_none() {
            self.limit(moment, effect, object, length);
        }
        if self.objects.is_refilled(object) {
            let cells = self.objects.cells(object, 0, size.unwrap_or(0));
            for cell in cells.unwrap_or_default() {
                let fill = self.objects.first(&mut self.events.terms, cell);
                let fill = fill.unwrap_or_else(|| {
                    let (_, unknown) = self.events.unknown(Sort::Bv(8 * cell.bytes as u32));
                    unknown
                });
                let cell = self.cell(cell);
                self.set(moment, effect, cell, fill);
            }
        }
        let base = self.objects.base(object);
        let base = self.events.terms.constant(self.sort(var), base);
        self.set(moment, effect, var, base);
        Ok(())
    }

    /// An object of unknown size is looked at up to some bound; a larger one is beyond it, like a
    /// loop with more rounds.
    fn limit(&mut self, moment: &mut Moment, effect: &mut Effect, object: ObjId, size: Term) {
        let terms = &mut self.events.terms;
        let room = terms.constant(terms.sort(size), ROOM);
        let fits = terms.binary(Op::Ule, size, room);
        let larger = terms.not(fits);
        let reached = terms.and(moment.guard, effect.condition);
        let guard = terms.and(reached, larger);
        effect.condition = terms.and(effect.condition, fits);
        self.limits.insert(object, size);
        if !self.at_end {
            let node = self.node(moment);
            self.events.goals.push(Goal {
                kind: GoalKind::Unwound,
                guard,
                node,
                step: None,
            });
        }
    }

    /// Giving back nothing is fine; anything else has to be the start of an object.
    pub(super) fn free(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        addr: Term,
        at: usize,
    ) -> Result<(), Refusal> {
        let addr = self.eval(moment, effect, addr);
        let terms = &mut self.events.terms;
        let zero = terms.constant(terms.sort(addr), 0);
        let mut valid = terms.eq(addr, zero);
        let objects: Vec<ObjId> = self.access(effect, at).objects().collect();
        for object in objects {
            let start = self.objects.base(object);
            let terms = &mut self.events.terms;
            let start = terms.constant(terms.sort(addr), start);
            let here = terms.eq(addr, start);
            if terms.as_const(here) == Some(0) {
                continue;
            }
            self.see_all(effect, object, here)?;
            let flag = self.alive(object);
            let alive = self.get(moment, effect, flag);
            let terms = &mut self.events.terms;
            let (fine, dead) = (terms.and(here, alive), terms.bool(false));
            valid = terms.or(valid, fine);
            self.set_if(moment, effect, flag, here, dead);
        }
        effect.condition = self.events.terms.and(effect.condition, valid);
        Ok(())
    }

    // Places and cells.

    fn access(&self, effect: &Effect, at: usize) -> &Access {
        let access = self.accesses.at(effect.edge, at);
        access.expect("every label that accesses memory has been looked at")
    }

    /// The places that an access can hit; it happens only if it hits one that is alive.
    fn places(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        addr: Term,
        at: usize,
    ) -> Result<Places, Refusal> {
        let addr = self.eval(moment, effect, addr);
        let span = self.xcfa[effect.edge].span;
        let access = self.accesses.at(effect.edge, at);
        let access = access.expect("every label that accesses memory has been looked at");
        let found = places(&mut self.events.terms, &self.objects, access, addr, span)?;
        let mut valid = found.valid;
        for place in &found.list {
            if let Some(&size) = self.limits.get(&place.object) {
                let terms = &mut self.events.terms;
                let end = terms.constant(terms.sort(size), place.offset + access.bytes);
                let inside = terms.binary(Op::Ule, end, size);
                let elsewhere = terms.not(place.here);
                let fine = terms.or(elsewhere, inside);
                valid = terms.and(valid, fine);
            }
            if self.objects.is_freed(place.object) {
                let flag = self.alive(place.object);
                let alive = self.get(moment, effect, flag);
                let terms = &mut self.events.terms;
                let elsewhere = terms.not(place.here);
                let fine = terms.or(elsewhere, alive);
                valid = terms.and(valid, fine);
            }
        }
        effect.condition = self.events.terms.and(effect.condition, valid);
        Ok(found)
    }

    /// What is read from `bytes` bytes, `shift` behind the places; nothing if there are none.
    fn load(
        &mut self,
        moment: &mut Moment,
        effect: &Effect,
        places: &Places,
        bytes: u64,
        shift: u64,
    ) -> Result<Option<Term>, Refusal> {
        let mut value: Option<Term> = None;
        for place in places.list.iter().rev() {
            let mut whole: Option<Term> = None;
            for cell in self.cells_of(effect, place.object, place.offset + shift, bytes)? {
                self.see_cell(effect, cell, false, place.here);
                let part = self.get(moment, effect, cell);
                let terms = &mut self.events.terms;
                whole = Some(whole.map_or(part, |low| terms.binary(Op::Concat, part, low)));
            }
            let Some(whole) = whole else { continue };
            let terms = &mut self.events.terms;
            value = Some(value.map_or(whole, |other| terms.ite(place.here, whole, other)));
        }
        Ok(value)
    }

    fn store(
        &mut self,
        moment: &mut Moment,
        effect: &mut Effect,
        places: &Places,
        bits: Term,
        shift: u64,
    ) -> Result<(), Refusal> {
        let bytes = u64::from(self.events.terms.width(bits)).div_ceil(8);
        let bits = self.events.terms.resize(bits, 8 * bytes as u32, false);
        let truth = self.events.terms.bool(true);
        for place in &places.list {
            let condition = if places.list.len() == 1 {
                truth
            } else {
                place.here
            };
            let mut low = 0;
            for cell in self.cells_of(effect, place.object, place.offset + shift, bytes)? {
                let width = self.sort(cell).width();
                let part = self.events.terms.extract(bits, low + width - 1, low);
                low += width;
                self.see_cell(effect, cell, true, place.here);
                self.set_if(moment, effect, cell, condition, part);
            }
        }
        Ok(())
    }

    /// The variables of the cells of a range, the lowest first.
    pub(super) fn cells_of(
        &mut self,
        effect: &Effect,
        object: ObjId,
        start: u64,
        bytes: u64,
    ) -> Result<Vec<VarId>, Refusal> {
        let Some(cells) = self.objects.cells(object, start, bytes) else {
            let span = self.xcfa[effect.edge].span;
            return Err(Refusal::at(
                span,
                "an access at a place that nobody expected",
            ));
        };
        Ok(cells.into_iter().map(|cell| self.cell(cell)).collect())
    }

    fn cell(&mut self, cell: Cell) -> VarId {
        if let Some(&known) = self.cells.get(&cell) {
            return known;
        }
        let sort = Sort::Bv(8 * cell.bytes as u32);
        let first = self.objects.first(&mut self.events.terms, cell);
        let first = first.unwrap_or_else(|| self.events.unknown(sort).1);
        let var = self.new_variable(sort, first, self.objects.is_shared(cell.object));
        self.cells.insert(cell, var);
        var
    }

    /// The variable that says whether a heap object has not been given back.
    fn alive(&mut self, object: ObjId) -> VarId {
        if let Some(&known) = self.alive.get(&object) {
            return known;
        }
        let truth = self.events.terms.bool(true);
        let var = self.new_variable(Sort::Bool, truth, self.objects.is_shared(object));
        self.alive.insert(object, var);
        var
    }

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

    /// A bit vector as a value of another sort of the same size.
    fn as_sort(&mut self, bits: Term, sort: Sort) -> Term {
        let terms = &mut self.events.terms;
        match sort {
            Sort::Float(kind) => terms.unary(Op::FloatFromBits(kind), bits),
            Sort::Bool => terms.is_nonzero(bits),
            Sort::Bv(width) => terms.resize(bits, width, false),
        }
    }
}
