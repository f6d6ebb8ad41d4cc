//! Checks of memory: where an object that stays in memory begins and ends, and what is lost at the end.

use super::OnInvalid;
use super::access::{Access, Kind};
use super::conversion::Conversions;
use super::owner::Owner;
use super::rewrite::Rewriter;
use dataflow::pointsto::Target;
use expr::{ObjId, Op, Sort, Term};
use xcfa::{EdgeId, ErrorKind, Label, ObjectKind, Scope};

/// With more heap objects than this, none is known to be reachable at the end.
const MOST_KEPT: usize = 40;

impl<'a> Rewriter<'a> {
    /// Is an invalid access an error?
    pub(super) fn checks(&self) -> bool {
        self.on_invalid == OnInvalid::Error
    }

    /// The owner of an object that has a constant address.
    pub(super) fn owner(&self, object: ObjId) -> Option<&'a Owner> {
        let conversions: &'a Conversions<'a> = self.conversions;
        let placed = || conversions.placed(object).filter(|_| self.checks());
        conversions.owner(object).or_else(placed)
    }

    /// An object that stays in memory is where it is. If its size is open, what is near it is far away:
    /// no pointer reaches it from another object by a small mistake.
    pub(super) fn place(&mut self, object: ObjId) {
        let far = match self.old.pointer_bits() {
            32 => 1 << 22,
            _ => 1 << 32,
        };
        let size = self.sizes[object.0 as usize].unwrap_or(far);
        if self.old[object].kind == ObjectKind::Heap || self.old[object].kind == ObjectKind::Stack {
            self.new[object].kind = ObjectKind::Static { init: Vec::new() };
        }
        self.new[object].size = Some(size);
    }

    /// Notes that an object was made, and how large it is.
    pub(super) fn note_made(&mut self, object: ObjId, size: Term, out: &mut Vec<Label>) {
        if let Some(var) = self.table.made(object) {
            let value = self.new.terms.bool(true);
            out.push(Label::Assign { var, value });
        }
        if let Some(var) = self.table.size(object) {
            let value = self.new.terms.resize(size, self.old.pointer_bits(), false);
            out.push(Label::Assign { var, value });
        }
    }

    /// Is the access inside an object that stays in memory and is alive?
    pub(super) fn inside_placed(&mut self, access: &Access) -> Term {
        let mut valid = self.new.terms.bool(false);
        for hit in &access.hits {
            if self.conversions.placed(hit.object).is_none() {
                continue;
            }
            let mut here = match access.kind {
                Kind::Free => self.is_at(access.addr, hit.object, 0),
                _ => self.within(access.addr, hit.object, access.bytes),
            };
            if let Some(flag) = self.table.flag(hit.object) {
                let alive = self.new.read(flag);
                here = self.new.terms.and(here, alive);
            }
            valid = self.new.terms.or(valid, here);
        }
        valid
    }

    /// Are so many bytes from this address on inside the object, if it is alive?
    fn within(&mut self, addr: Term, object: ObjId, bytes: u64) -> Term {
        let width = self.old.pointer_bits();
        let size = self.size(object);
        let distance = self.distance_from(addr, object);
        let terms = &mut self.new.terms;
        let bytes = terms.bv(width, bytes);
        let large = terms.binary(Op::Ule, bytes, size);
        let room = terms.binary(Op::Sub, size, bytes);
        let near = terms.binary(Op::Ule, distance, room);
        terms.and(large, near)
    }

    fn size(&mut self, object: ObjId) -> Term {
        match self.table.size(object) {
            Some(var) => self.new.read(var),
            None => {
                let size = self.sizes[object.0 as usize].unwrap_or(0);
                self.new.terms.bv(self.old.pointer_bits(), size)
            }
        }
    }

    fn distance_from(&mut self, addr: Term, object: ObjId) -> Term {
        if let Some(distance) = self.distance(addr, object) {
            return distance;
        }
        let base = self.new.terms.base(object, self.old.pointer_bits());
        self.new.terms.binary(Op::Sub, addr, base)
    }

    /// Does an edge lead to a failed assertion or the like, which ends the process?
    pub(super) fn fails(&self, edge: EdgeId) -> bool {
        match self.old[self.old[edge].target].error {
            Some(ErrorKind::Reached | ErrorKind::Overflow | ErrorKind::Misuse) => true,
            None
            | Some(
                ErrorKind::InvalidDeref
                | ErrorKind::InvalidFree
                | ErrorKind::InvalidMemtrack
                | ErrorKind::Unwound,
            ) => false,
        }
    }

    /// May the first thread end before others? Then the process ends with the last thread, whichever
    /// that is.
    pub(super) fn main_may_leave(&self) -> bool {
        self.old.edge_ids().any(|edge| {
            let leaves = |label: &Label| matches!(label, Label::ThreadExit(_));
            self.old[self.old[edge].source].proc == self.old.main
                && self.old[edge].labels.iter().any(leaves)
        })
    }

    /// Where the process ends, every heap object that is alive must be reachable from globals. This
    /// follows pointers in globals and, once more, in heap objects that have become variables.
    pub(super) fn check_kept(&mut self, edge: EdgeId, out: &mut Vec<Label>) {
        let is_heap = |object: &ObjId| self.old[*object].kind == ObjectKind::Heap;
        let heap: Vec<ObjId> = self.old.obj_ids().filter(is_heap).collect();
        let many = heap.len() > MOST_KEPT;
        let direct = heap.iter().map(|&object| match many {
            true => self.new.terms.bool(false),
            false => self.held_by_globals(object),
        });
        let direct: Vec<Term> = direct.collect();
        let mut all = self.new.terms.bool(true);
        for (&object, &held) in heap.iter().zip(&direct) {
            let mut kept = held;
            for (&other, &held) in heap.iter().zip(&direct).filter(|_| !many) {
                let through = self.held_by(other, object);
                let through = self.new.terms.and(held, through);
                kept = self.new.terms.or(kept, through);
            }
            // Which one of many is reachable is not known.
            let alive = match (self.table.made(object), self.table.flag(object)) {
                (None, Some(flag)) => self.new.read(flag),
                (Some(made), _) => {
                    kept = self.new.terms.bool(false);
                    self.new.read(made)
                }
                (None, None) => self.new.terms.bool(true),
            };
            let gone = self.new.terms.not(alive);
            let fine = self.new.terms.or(gone, kept);
            all = self.new.terms.and(all, fine);
        }
        self.require(edge, all, ErrorKind::InvalidMemtrack, out);
    }

    /// Does a global, or a static object that has become variables, hold a pointer to the object?
    fn held_by_globals(&mut self, object: ObjId) -> Term {
        let mut kept = self.new.terms.bool(false);
        for var in self.old.var_ids() {
            if self.old[var].scope == Scope::Global && points_at(self.points_to.var(var), object) {
                let value = self.new.read(var);
                let holds = self.points_into(value, object);
                kept = self.new.terms.or(kept, holds);
            }
        }
        for holder in self.old.obj_ids() {
            if matches!(self.old[holder].kind, ObjectKind::Static { .. }) {
                let holds = self.held_by(holder, object);
                kept = self.new.terms.or(kept, holds);
            }
        }
        kept
    }

    /// Does a cell of one object hold a pointer to the other?
    fn held_by(&mut self, holder: ObjId, object: ObjId) -> Term {
        let mut holds = self.new.terms.bool(false);
        // Variables of one thread are not for others to look at.
        let scope = self.owner(holder).map(|owner| owner.scope);
        let readable = scope == Some(Scope::Global);
        if !readable || !points_at(self.points_to.contents(holder), object) {
            return holds;
        }
        for slot in self.table.slots(holder).to_vec() {
            let value = self.new.read(slot.var);
            let here = self.points_into(value, object);
            holds = self.new.terms.or(holds, here);
        }
        if let Some(flag) = self.table.flag(holder) {
            let alive = self.new.read(flag);
            holds = self.new.terms.and(holds, alive);
        }
        holds
    }

    /// Is the value the address of a byte of the object, or one past its end?
    fn points_into(&mut self, value: Term, object: ObjId) -> Term {
        let width = self.old.pointer_bits();
        if self.owner(object).is_none() || self.new.terms.sort(value) != Sort::Bv(width) {
            return self.new.terms.bool(false);
        }
        let (distance, size) = (self.distance_from(value, object), self.size(object));
        self.new.terms.binary(Op::Ule, distance, size)
    }
}

fn points_at(targets: &[Target], object: ObjId) -> bool {
    targets.iter().any(|target| target.object == object)
}
