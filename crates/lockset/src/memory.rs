//! What memory holds that no other thread can write.
//!
//! Cells are known by the term of their address. Memory whose address never leaves its thread stays
//! known; other memory only in `main` before there are threads, and, if it is never written later, for ever.

use crate::values::as_sum;
use dataflow::pointsto::{Offset, Target};
use dataflow::{Analysed, BitSet, Storage, touches};
use expr::{ObjId, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;
use xcfa::{Label, ObjectKind};

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
}

impl<'a> Ownership<'a> {
    pub fn of(xcfa: &'a Analysed) -> Ownership<'a> {
        let alone = xcfa.before_threads();
        let mut frozen: BitSet = (0..xcfa.objects.len())
            .filter(|&at| matches!(xcfa.objects[at].kind, ObjectKind::Static { .. }))
            .collect();
        for edge in &xcfa.edges {
            let starts = |it: &Label| matches!(it, Label::Start { .. } | Label::Call { .. });
            if alone[edge.source.0 as usize] && !edge.labels.iter().any(starts) {
                continue;
            }
            let touches = edge
                .labels
                .iter()
                .flat_map(|it| touches(xcfa, xcfa.points_to(), it));
            for touch in touches.filter(|touch| touch.write) {
                if let Storage::Memory(target, _) = touch.place {
                    frozen.remove(target.object.0 as usize);
                }
            }
        }
        Ownership { xcfa, frozen }
    }

    fn is_private(&self, targets: &[Target]) -> bool {
        let own = |target: &Target| !self.xcfa.escaped().contains(target.object.0 as usize);
        !targets.is_empty() && targets.iter().all(own)
    }

    fn is_frozen(&self, targets: &[Target]) -> bool {
        let frozen = |target: &Target| self.frozen.contains(target.object.0 as usize);
        !targets.is_empty() && targets.iter().all(frozen)
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

    /// Executes a label with these terms; `alone` if there are no other threads.
    pub fn pass(
        &mut self,
        terms: &Terms,
        rules: &Ownership<'_>,
        label: &Label,
        evaluated: &[Term],
        alone: bool,
    ) {
        match label {
            Label::Store { addr, value } => {
                let targets = rules.xcfa.points_to().targets(rules.xcfa, *addr);
                let size = terms.bytes(*value);
                self.forget(terms, &targets, evaluated[0], size);
                if alone && !targets.is_empty() || rules.is_private(&targets) {
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
                rules.is_private(&cell.targets) || rules.is_frozen(&cell.targets)
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
                targets.iter().any(|target| {
                    let bytes = match (own.offset, target.offset) {
                        (Offset::At(x), Offset::At(y)) => {
                            x < y.saturating_add_unsigned(size)
                                && y < x.saturating_add_unsigned(width)
                        }
                        _ => true,
                    };
                    own.object == target.object && bytes
                })
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
