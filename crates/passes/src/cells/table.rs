//! The variables that hold the contents of objects.

use super::access::Accesses;
use super::conversion::Conversions;
use super::lifetime::Ends;
use super::name::name;
use super::partition::{Piece, pieces};
use expr::{ObjId, Op, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use std::ops::Range;
use xcfa::{Object, ObjectKind, Scope, Var, Xcfa};

/// A piece of an object, and the variable that holds it.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) piece: Piece,
    pub(super) var: VarId,
}

/// The variables of all objects that become variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    slots: FxHashMap<ObjId, Vec<Slot>>,
    flags: FxHashMap<ObjId, VarId>,
    /// Where memory is checked: the sizes of objects that have one address but no constant size.
    sizes: FxHashMap<ObjId, VarId>,
    /// Where memory is checked, by heap object of which there may be many: has one been made?
    made: FxHashMap<ObjId, VarId>,
}

impl Table {
    /// Adds the variables to the program.
    pub(super) fn new(
        xcfa: &mut Xcfa,
        accesses: &Accesses,
        conversions: &Conversions<'_>,
        ends: &Ends,
    ) -> Table {
        let mut table = Table::default();
        for object in xcfa.obj_ids() {
            let Some(owner) = conversions.owner(object) else {
                continue;
            };
            let slots = pieces(accesses, conversions, object)
                .into_iter()
                .map(|piece| Slot {
                    var: add_cell(xcfa, object, &piece, owner.scope),
                    piece,
                })
                .collect();
            table.slots.insert(object, slots);
            if ends.needs_flag(xcfa, accesses, object, owner) {
                let flag = add_flag(xcfa, object, owner.scope);
                table.flags.insert(object, flag);
            }
        }
        table
    }

    /// Adds what checks of memory need to know: which objects are alive, and how large they are.
    pub(super) fn add_checks(
        &mut self,
        xcfa: &mut Xcfa,
        accesses: &Accesses,
        conversions: &Conversions<'_>,
        ends: &Ends,
    ) {
        for object in xcfa.obj_ids() {
            let is_heap = xcfa[object].kind == ObjectKind::Heap;
            let owner = conversions.owner(object).or(conversions.placed(object));
            let single = owner.is_some_and(|owner| owner.single);
            if is_heap && !single {
                let name = format!("{}.made", xcfa[object].name);
                let var = xcfa.add_var(Var::temp(name, Sort::Bool, Scope::Global));
                self.made.insert(object, var);
            }
            let Some(owner) = owner else { continue };
            let placed = conversions.placed(object).is_some();
            if is_heap && single {
                let flag = add_flag(xcfa, object, Scope::Global);
                self.flags.insert(object, flag);
            } else if placed && ends.needs_flag(xcfa, accesses, object, owner) {
                let flag = add_flag(xcfa, object, owner.scope);
                self.flags.insert(object, flag);
            }
            if placed && xcfa[object].size.is_none() {
                let (name, sort) = (
                    format!("{}.size", xcfa[object].name),
                    Sort::Bv(xcfa.pointer_bits()),
                );
                // Whoever ends the process looks at it.
                let scope = if single { Scope::Global } else { owner.scope };
                let var = xcfa.add_var(Var::temp(name, sort, scope));
                self.sizes.insert(object, var);
            }
        }
    }

    /// The size of an object that has no constant one, where memory is checked.
    pub(super) fn size(&self, object: ObjId) -> Option<VarId> {
        self.sizes.get(&object).copied()
    }

    /// Says whether there has been such an object, if there may be many, where memory is checked.
    pub(super) fn made(&self, object: ObjId) -> Option<VarId> {
        self.made.get(&object).copied()
    }

    pub(super) fn slots(&self, object: ObjId) -> &[Slot] {
        self.slots.get(&object).map_or(&[], |slots| slots)
    }

    /// The numbers of the slots that an access of `bytes` bytes at `offset` covers.
    pub(super) fn covered(&self, object: ObjId, offset: u64, bytes: u64) -> Range<usize> {
        let slots = self.slots(object);
        let first = slots.partition_point(|slot| slot.piece.start < offset);
        let last = slots.partition_point(|slot| slot.piece.start < offset + bytes);
        first..last
    }

    /// The flag that says whether an object is alive, if it needs one.
    pub(super) fn flag(&self, object: ObjId) -> Option<VarId> {
        self.flags.get(&object).copied()
    }
}

fn add_cell(xcfa: &mut Xcfa, object: ObjId, piece: &Piece, scope: Scope) -> VarId {
    let (name, signed) = name(&xcfa[object], piece.start, piece.bytes);
    let Object { kind, .. } = &xcfa[object];
    let init = match kind {
        ObjectKind::Static { init } => {
            let init = init.clone();
            Some(initial_value(xcfa, &init, piece))
        }
        _ => None,
    };
    xcfa.add_var(Var {
        name,
        sort: piece.sort,
        signed,
        pointer: false,
        scope,
        init,
        temp: false,
        alias: None,
    })
}

fn add_flag(xcfa: &mut Xcfa, object: ObjId, scope: Scope) -> VarId {
    xcfa.add_var(Var::temp(
        format!("{}.alive", xcfa[object].name),
        Sort::Bool,
        scope,
    ))
}

/// What a static object has in a piece at the start: as in memory, later entries win.
fn initial_value(xcfa: &mut Xcfa, init: &[(u64, Term)], piece: &Piece) -> Term {
    let covering = |xcfa: &Xcfa, start: u64, end: u64| {
        let mut entries = init.iter().rev();
        let touches = |&&(at, term): &&(u64, Term)| at < end && start < at + xcfa.terms.bytes(term);
        entries.find(touches).copied()
    };
    let whole = covering(xcfa, piece.start, piece.end());
    let bits = match whole {
        None => xcfa.terms.bv(8 * piece.bytes as u32, 0),
        Some((at, term)) if at == piece.start && xcfa.terms.sort(term) == piece.sort => {
            return term;
        }
        Some((at, term)) if at <= piece.start && piece.end() <= at + xcfa.terms.bytes(term) => {
            part(xcfa, term, piece.start - at, piece.bytes)
        }
        Some(_) => {
            let bytes: Vec<Term> = (piece.start..piece.end())
                .map(|byte| match covering(xcfa, byte, byte + 1) {
                    Some((at, term)) => part(xcfa, term, byte - at, 1),
                    None => xcfa.terms.bv(8, 0),
                })
                .collect();
            concat(xcfa, &bytes)
        }
    };
    from_bits(xcfa, bits, piece.sort)
}

/// Some bytes of a value, as a bit vector.
pub(super) fn part(xcfa: &mut Xcfa, value: Term, first: u64, bytes: u64) -> Term {
    let bits = to_bits(xcfa, value);
    let (lo, hi) = (8 * first as u32, 8 * (first + bytes) as u32 - 1);
    xcfa.terms.extract(bits, hi, lo)
}

/// Puts bit vectors together, the lowest first.
pub(super) fn concat(xcfa: &mut Xcfa, parts: &[Term]) -> Term {
    let joined = parts
        .iter()
        .copied()
        .reduce(|low, high| xcfa.terms.binary(Op::Concat, high, low));
    joined.expect("an access has at least one byte")
}

pub(super) fn to_bits(xcfa: &mut Xcfa, value: Term) -> Term {
    match xcfa.terms.sort(value) {
        Sort::Float(_) => xcfa.terms.unary(Op::FloatToBits, value),
        _ => value,
    }
}

pub(super) fn from_bits(xcfa: &mut Xcfa, bits: Term, sort: Sort) -> Term {
    match sort {
        Sort::Float(kind) if xcfa.terms.sort(bits) != sort => {
            xcfa.terms.unary(Op::FloatFromBits(kind), bits)
        }
        _ => bits,
    }
}
