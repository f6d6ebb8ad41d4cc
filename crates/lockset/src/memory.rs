//! What memory holds that no other thread can write.
//!
//! Cells are known by the term of their address. Memory whose address never leaves its thread stays
//! known; other memory only in `main`: before there are threads; for ever, if it is never written later;
//! and as long as `main` wants, if nobody else ever writes those bytes, or makes or ends such an object.

use crate::steady::only_written_where;
use crate::values::as_sum;
use dataflow::pointsto::{Offset, Target};
use dataflow::{Analysed, BitSet, Storage, touches};
use expr::{ObjId, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;
use xcfa::{Label, ProcId};

/// A cell whose contents are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What it holds.
    pub value: Term,
    targets: Rc<[Target]>,
}

/// Known cells, by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    pub cells: BTreeMap<Term, Cell>,
}

/// What may be known about the memory of a program.
pub struct Ownership<'a> {
    xcfa: &'a Analysed,
    /// Objects that are only written before there are threads.
    frozen: BitSet,
    /// Objects that are only written while there is no thread but the first.
    steady: BitSet,
    /// What labels outside of `main` write: places, and how many bytes there.
    elsewhere: Vec<(Target, u64)>,
    /// Is `main` run by the first thread alone, and called by nobody?
    main_runs_once: bool,
}

impl<'a> Ownership<'a> {
    pub fn of(xcfa: &'a Analysed, steady: BitSet) -> Ownership<'a> {
        let alone = xcfa.before_threads();
        let frozen = only_written_where(xcfa, alone);
        Ownership {
            xcfa,
            frozen,
            steady,
            elsewhere: written_elsewhere(xcfa),
            main_runs_once: xcfa.threads().starts_at_most_once(xcfa.main)
                && xcfa.threads().running(xcfa.main).eq([xcfa.main])
                && !xcfa.calls().is_recursive(xcfa.main),
        }
    }

    /// Does nobody but `main` write any of these bytes, or make or end an object there? Then what `main`
    /// has written stays until `main` writes again.
    fn is_of_main(&self, targets: &[Target], size: u64) -> bool {
        let others = |target: &Target| {
            let mut elsewhere = self.elsewhere.iter();
            elsewhere.any(|&other| overlap((*target, size), other))
        };
        self.main_runs_once && !targets.is_empty() && !targets.iter().any(others)
    }

    fn is_private(&self, targets: &[Target]) -> bool {
        let own = |target: &Target| !self.xcfa.escaped().contains(target.object.0 as usize);
        !targets.is_empty() && targets.iter().all(own)
    }

    /// Are all of these written only before there are threads?
    pub fn is_frozen(&self, targets: &[Target]) -> bool {
        let frozen = |target: &Target| self.frozen.contains(target.object.0 as usize);
        !targets.is_empty() && targets.iter().all(frozen)
    }

    /// Are all of these written only while there is no thread but the first?
    pub fn is_steady(&self, targets: &[Target]) -> bool {
        let steady = |target: &Target| self.steady.contains(target.object.0 as usize);
        !targets.is_empty() && targets.iter().all(steady)
    }
}

impl Memory {
    /// What a load of this width finds at an address.
    pub fn load(&self, terms: &Terms, address: Term, width: u32) -> Option<Term> {
        let value = self.cells.get(&address)?.value;
        (terms.width(value) == width && terms.sort(value) == expr::Sort::Bv(width)).then_some(value)
    }

    /// Keeps what both know.
    pub fn intersect_with(&mut self, other: &Memory) {
        self.cells
            .retain(|at, cell| other.cells.get(at) == Some(cell));
    }

    /// Executes a label of a procedure with these terms; `alone` if there are no other threads.
    pub fn pass(
        &mut self,
        terms: &Terms,
        rules: &Ownership<'_>,
        (proc, label): (ProcId, &Label),
        evaluated: &[Term],
        alone: bool,
    ) {
        let in_main = proc == rules.xcfa.main;
        match label {
            Label::Store { addr, value } => {
                let targets = rules.xcfa.points_to().targets(rules.xcfa, *addr);
                let size = terms.bytes(*value);
                self.forget(terms, &targets, evaluated[0], size);
                let stays =
                    rules.is_private(&targets) || in_main && rules.is_of_main(&targets, size);
                if alone && !targets.is_empty() || stays {
                    let cell = Cell {
                        value: evaluated[1],
                        targets: targets.into(),
                    };
                    self.cells.insert(evaluated[0], cell);
                }
            }
            Label::Free(addr) => {
                for object in rules.xcfa.points_to().objects(rules.xcfa, *addr) {
                    self.end(object);
                }
            }
            Label::Dealloc(object) | Label::Alloc { object, .. } => self.end(*object),
            Label::Start { .. } => self.cells.retain(|_, cell| {
                let size = terms.bytes(cell.value);
                rules.is_private(&cell.targets)
                    || rules.is_frozen(&cell.targets)
                    || in_main && rules.is_of_main(&cell.targets, size)
            }),
            Label::Call { .. } => self.cells.clear(),
            _ => {
                if let Some((addr, _)) = label.sync_object() {
                    let targets = rules.xcfa.points_to().targets(rules.xcfa, addr);
                    self.forget(terms, &targets, evaluated[0], 8);
                }
            }
        }
    }

    fn end(&mut self, object: ObjId) {
        self.cells
            .retain(|_, cell| cell.targets.iter().all(|target| target.object != object));
    }

    /// This many bytes at an address may have changed.
    fn forget(&mut self, terms: &Terms, targets: &[Target], address: Term, size: u64) {
        self.cells.retain(|&at, cell| {
            let width = terms.bytes(cell.value);
            let meets = |own: &Target| {
                let mut targets = targets.iter();
                targets.any(|target| overlap((*own, width), (*target, size)))
            };
            is_beside(terms, (at, width), (address, size)) || !cell.targets.iter().any(meets)
        });
    }

    /// What is known of frozen memory without symbols.
    pub fn settled(&self, terms: &Terms, rules: &Ownership<'_>) -> Memory {
        let plain = |term: Term| terms.vars(term).is_empty();
        let cells = self.cells.iter().filter(|(at, cell)| {
            rules.is_frozen(&cell.targets) && plain(**at) && plain(cell.value)
        });
        Memory {
            cells: cells.map(|(&at, cell)| (at, cell.clone())).collect(),
        }
    }
}

/// May so many bytes at two places have one in common?
pub fn overlap((a, a_size): (Target, u64), (b, b_size): (Target, u64)) -> bool {
    let bytes = match (a.offset, b.offset) {
        (Offset::At(x), Offset::At(y)) => {
            x < y.saturating_add_unsigned(b_size) && y < x.saturating_add_unsigned(a_size)
        }
        _ => true,
    };
    a.object == b.object && bytes
}

/// What labels outside of `main` write. Who makes or ends an object writes all of it.
fn written_elsewhere(xcfa: &Analysed) -> Vec<(Target, u64)> {
    let mut found = Vec::new();
    let whole = |object: ObjId| {
        let offset = Offset::Any;
        (Target { object, offset }, 1)
    };
    let others = xcfa.edges.iter();
    let others = others.filter(|edge| xcfa[edge.source].proc != xcfa.main);
    for label in others.flat_map(|edge| &edge.labels) {
        match label {
            Label::Alloc { object, .. } | Label::Dealloc(object) => found.push(whole(*object)),
            Label::Free(addr) => {
                let objects = xcfa.points_to().objects(xcfa, *addr);
                found.extend(objects.into_iter().map(whole));
            }
            _ => {}
        }
        for touch in touches(xcfa, xcfa.points_to(), label) {
            if let (Storage::Memory(target, size), true) = (touch.place, touch.write) {
                found.push((target, size));
            }
        }
    }
    found
}

/// Are the two at a known distance that keeps them apart?
fn is_beside(terms: &Terms, a: (Term, u64), b: (Term, u64)) -> bool {
    let split = |term: Term| as_sum(terms, term).unwrap_or((term, 0));
    let ((base, x), (other, y)) = (split(a.0), split(b.0));
    let width = terms.width(a.0);
    if base != other || width != terms.width(b.0) {
        return false;
    }
    let distance = expr::sign_extend(y.wrapping_sub(x), width);
    distance >= a.1 as i64 || -i128::from(distance) >= i128::from(b.1)
}
