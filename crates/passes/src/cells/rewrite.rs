//! The labels of a program whose objects have become variables.

use super::OnInvalid;
use super::access::{Access, Accesses, Kind};
use super::conversion::Conversions;
use super::fresh_contents::{FreshContents, Range};
use super::lifetime::is_on_stack;
use super::owner::Site;
use super::table::{Table, concat, from_bits, part, to_bits};
use dataflow::{PointsTo, split};
use expr::{Node, ObjId, Op, Sort, Term, VarId};
use std::collections::BTreeMap;
use xcfa::{Edge, EdgeId, ErrorKind, HavocOrigin, Label, LocId, ObjectKind, ProcId, Xcfa};

pub(super) struct Rewriter<'a> {
    pub(super) old: &'a Xcfa,
    pub(super) new: Xcfa,
    pub(super) accesses: &'a Accesses,
    pub(super) conversions: &'a Conversions<'a>,
    pub(super) fresh_contents: &'a FreshContents<'a>,
    pub(super) points_to: &'a PointsTo,
    /// Sizes of objects, where they are constant.
    pub(super) sizes: &'a [Option<u64>],
    pub(super) table: Table,
    pub(super) on_invalid: OnInvalid,
    pub(super) origin: Vec<EdgeId>,
    /// The error locations made so far.
    pub(super) errors: Vec<(ProcId, ErrorKind, LocId)>,
}

impl Rewriter<'_> {
    pub(super) fn run(&mut self) {
        for edge in self.old.edge_ids() {
            let mut labels = Vec::new();
            for index in 0..self.old[edge].labels.len() {
                self.label(edge, index, &mut labels);
            }
            if self.checks() && self.fails(edge) {
                self.check_kept(edge, &mut labels);
            }
            self.new[edge].labels = labels;
        }
        for object in self.old.obj_ids() {
            if self.checks() && self.conversions.placed(object).is_some() {
                self.place(object);
            }
            let Some(owner) = self.conversions.owner(object) else {
                continue;
            };
            // The words of a static lock are still read from memory.
            if owner.proc.is_some() || !self.conversions.has_locks(object) {
                self.new[object].kind = ObjectKind::Static { init: Vec::new() };
            }
            self.new[object].size = self.sizes[object.0 as usize];
        }
    }

    fn label(&mut self, edge: EdgeId, index: usize, out: &mut Vec<Label>) {
        let label = &self.old[edge].labels[index];
        match (label, self.accesses.at(edge, index)) {
            (Label::Free(_), Some(access)) if self.checks() => self.free(access, out),
            (_, Some(access)) if access.kind == Kind::Sync || self.conversions.stays(access) => {
                match self.checks() {
                    true => self.check_valid(access, out),
                    false => self.check_alive(access, out),
                }
                out.push(label.clone());
            }
            (Label::Load { var, .. }, Some(access)) => self.load(*var, access, out),
            (Label::Store { value, .. }, Some(access)) => self.store(*value, access, out),
            (Label::Free(_), Some(access)) => self.free(access, out),
            (Label::Alloc { var, object, .. }, _) => {
                self.alloc(edge, index, *var, *object, out);
            }
            (Label::Exit(_), _) if self.checks() => {
                self.check_kept(edge, out);
                out.push(label.clone());
            }
            (Label::Dealloc(object), _) => match self.owner(*object) {
                // Elsewhere it means the object of another frame, which does not exist.
                Some(owner) if owner.proc == Some(self.proc_of(edge)) => {
                    self.set_alive(*object, false, out);
                }
                Some(_) => {}
                None => out.push(label.clone()),
            },
            (Label::ThreadExit(_), _) => {
                if self.checks() && self.main_may_leave() {
                    self.check_kept(edge, out);
                }
                self.end_stack(edge, out);
                out.push(label.clone());
            }
            _ => out.push(label.clone()),
        }
    }

    pub(super) fn proc_of(&self, edge: EdgeId) -> ProcId {
        self.old[self.old[edge].source].proc
    }

    // Loads and stores.

    fn load(&mut self, var: VarId, access: &Access, out: &mut Vec<Label>) {
        self.check_valid(access, out);
        let sort = self.old[var].sort;
        let mut places: Vec<(ObjId, u64)> = places(access).collect();
        let Some((object, offset)) = places.pop() else {
            return;
        };
        let mut value = self.read(object, offset, access.bytes, sort);
        while let Some((object, offset)) = places.pop() {
            let here = self.is_at(access.addr, object, offset);
            let read = self.read(object, offset, access.bytes, sort);
            value = self.new.terms.ite(here, read, value);
        }
        out.push(Label::Assign { var, value });
    }

    fn read(&mut self, object: ObjId, offset: u64, bytes: u64, sort: Sort) -> Term {
        let covered: Vec<VarId> = self
            .table
            .covered(object, offset, bytes)
            .map(|number| self.table.slots(object)[number].var)
            .collect();
        if let &[var] = &*covered
            && self.new[var].sort == sort
        {
            return self.new.read(var);
        }
        let mut parts = Vec::with_capacity(covered.len());
        for var in covered {
            let read = self.new.read(var);
            parts.push(to_bits(&mut self.new, read));
        }
        let bits = concat(&mut self.new, &parts);
        from_bits(&mut self.new, bits, sort)
    }

    fn store(&mut self, value: Term, access: &Access, out: &mut Vec<Label>) {
        self.check_valid(access, out);
        let alone = access.places() == 1;
        let mut updates: BTreeMap<(ObjId, usize), Term> = BTreeMap::new();
        for (object, offset) in places(access) {
            for number in self.table.covered(object, offset, access.bytes) {
                let slot = self.table.slots(object)[number].clone();
                let written = match slot.piece.sort == self.old.terms.sort(value) {
                    true => value,
                    false => {
                        let first = slot.piece.start - offset;
                        part(&mut self.new, value, first, slot.piece.bytes)
                    }
                };
                let update = if alone {
                    written
                } else {
                    let here = self.is_at(access.addr, object, offset);
                    let before = updates.get(&(object, number)).copied();
                    let before = before.unwrap_or_else(|| self.new.read(slot.var));
                    self.new.terms.ite(here, written, before)
                };
                updates.insert((object, number), update);
            }
        }
        for ((object, number), value) in updates {
            let var = self.table.slots(object)[number].var;
            out.push(Label::Assign { var, value });
        }
    }

    // Lifetimes.

    fn alloc(
        &mut self,
        edge: EdgeId,
        index: usize,
        var: VarId,
        object: ObjId,
        out: &mut Vec<Label>,
    ) {
        let label = &self.old[edge].labels[index];
        let Label::Alloc { zeroed, size, .. } = label else {
            return;
        };
        self.note_made(object, *size, out);
        let Some(owner) = self.owner(object) else {
            out.push(label.clone());
            return;
        };
        let base = self.new.terms.base(object, self.old.pointer_bits());
        out.push(Label::Assign { var, value: base });
        self.set_alive(object, true, out);
        let zeroed = *zeroed;
        let site = Site {
            edge,
            index,
            zeroed,
        };
        for slot in self.table.slots(object) {
            let (var, sort) = (slot.var, slot.piece.sort);
            let range = Range {
                object,
                start: slot.piece.start,
                end: slot.piece.end(),
            };
            if zeroed {
                let value = self.new.terms.constant(sort, 0);
                out.push(Label::Assign { var, value });
            } else if self.fresh_contents.is_seen(owner, site, range) {
                let origin = HavocOrigin::Uninitialised;
                out.push(Label::Havoc { var, origin });
            }
        }
    }

    fn set_alive(&mut self, object: ObjId, alive: bool, out: &mut Vec<Label>) {
        if let Some(var) = self.table.flag(object) {
            let value = self.new.terms.bool(alive);
            out.push(Label::Assign { var, value });
        }
    }

    /// The stack objects of a thread end with it.
    fn end_stack(&mut self, edge: EdgeId, out: &mut Vec<Label>) {
        let proc = self.proc_of(edge);
        for object in self.old.obj_ids() {
            let owner = self.owner(object);
            if owner.is_some_and(|owner| owner.proc == Some(proc)) && is_on_stack(self.old, object)
            {
                self.set_alive(object, false, out);
            }
        }
    }

    fn free(&mut self, access: &Access, out: &mut Vec<Label>) {
        let null = self.new.terms.constant(self.old.terms.sort(access.addr), 0);
        let nothing = self.new.terms.eq(access.addr, null);
        let something = self.hits_living(access);
        let valid = self.new.terms.or(nothing, something);
        self.require(access.edge, valid, ErrorKind::InvalidFree, out);
        for (object, offset) in places(access) {
            if let Some(var) = self.table.flag(object) {
                let here = self.is_at(access.addr, object, offset);
                let (alive, elsewhere) = (self.new.read(var), self.new.terms.not(here));
                let value = self.new.terms.and(alive, elsewhere);
                out.push(Label::Assign { var, value });
            }
        }
    }

    // Validity.

    fn check_valid(&mut self, access: &Access, out: &mut Vec<Label>) {
        if !access.certain {
            let valid = self.hits_living(access);
            self.require(access.edge, valid, ErrorKind::InvalidDeref, out);
        }
    }

    /// Memory does not know that an object has ended which is only there to have an address.
    fn check_alive(&mut self, access: &Access, out: &mut Vec<Label>) {
        let mut valid = self.new.terms.bool(true);
        for (object, offset) in places(access) {
            if let Some(flag) = self.table.flag(object) {
                let here = self.is_at(access.addr, object, offset);
                let (elsewhere, alive) = (self.new.terms.not(here), self.new.read(flag));
                let fine = self.new.terms.or(elsewhere, alive);
                valid = self.new.terms.and(valid, fine);
            }
        }
        self.require(access.edge, valid, ErrorKind::InvalidDeref, out);
    }

    /// Is the address that of a place in an object that is alive?
    fn hits_living(&mut self, access: &Access) -> Term {
        let mut valid = match self.checks() {
            true => self.inside_placed(access),
            false => self.new.terms.bool(false),
        };
        for (object, offset) in places(access) {
            if self.conversions.owner(object).is_none() {
                continue;
            }
            let mut here = self.is_at(access.addr, object, offset);
            if let Some(flag) = self.table.flag(object) {
                let alive = self.new.read(flag);
                here = self.new.terms.and(here, alive);
            }
            valid = self.new.terms.or(valid, here);
        }
        valid
    }

    pub(super) fn require(
        &mut self,
        edge: EdgeId,
        valid: Term,
        kind: ErrorKind,
        out: &mut Vec<Label>,
    ) {
        if self.new.terms.as_const(valid) == Some(1) {
            return;
        }
        if self.on_invalid == OnInvalid::Error {
            let mut labels = out.clone();
            labels.push(Label::Assume(self.new.terms.not(valid)));
            let target = self.error(self.proc_of(edge), kind);
            self.origin.push(edge);
            self.new.add_edge(Edge {
                target,
                labels,
                ..self.old[edge].clone()
            });
        }
        out.push(Label::Assume(valid));
    }

    fn error(&mut self, proc: ProcId, kind: ErrorKind) -> LocId {
        let mut known = self.errors.iter();
        if let Some(&(.., loc)) = known.find(|&&(of, other, _)| of == proc && other == kind) {
            return loc;
        }
        let loc = self.new.add_loc(proc);
        self.new[loc].error = Some(kind);
        self.errors.push((proc, kind, loc));
        loc
    }

    /// `addr == &object + offset`, without the summands that both sides have.
    pub(super) fn is_at(&mut self, addr: Term, object: ObjId, offset: u64) -> Term {
        let width = self.old.pointer_bits();
        if let Some(distance) = self.distance(addr, object) {
            let offset = self.new.terms.bv(width, offset);
            return self.new.terms.eq(distance, offset);
        }
        let (addr, shift) = split(&self.new.terms, addr);
        let offset = self.new.terms.bv(width, offset.wrapping_sub(shift));
        let base = self.new.terms.base(object, width);
        let place = self.new.terms.add(base, offset);
        self.new.terms.eq(addr, place)
    }

    pub(super) fn distance(&mut self, addr: Term, object: ObjId) -> Option<Term> {
        match self.new.terms.node(addr) {
            Node::Base(base, width) if base == object => Some(self.new.terms.bv(width, 0)),
            Node::Binary(Op::Add, a, b) => {
                if let Some(a) = self.distance(a, object) {
                    return Some(self.new.terms.add(a, b));
                }
                let b = self.distance(b, object)?;
                Some(self.new.terms.add(a, b))
            }
            _ => None,
        }
    }
}

fn places(access: &Access) -> impl Iterator<Item = (ObjId, u64)> {
    let of_hit = |hit: &super::access::Hit| {
        let object = hit.object;
        let offsets = hit.offsets.clone();
        offsets.into_iter().map(move |offset| (object, offset))
    };
    access.hits.iter().flat_map(of_hit)
}
