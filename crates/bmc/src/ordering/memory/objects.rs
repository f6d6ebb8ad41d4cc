//! Objects: where they are, how they are cut, and which threads use them.

use super::accesses::{Access, Accesses, Kind};
use crate::ordering::Unsupported;
use dataflow::pointsto::Offset;
use expr::{ObjId, Op, Sort, Term, Terms};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use xcfa::{DataModel, Label, ObjectKind, ProcId, Span, Xcfa};

/// An object cut into more cells than this is refused.
const MOST_CELLS: usize = 1 << 16;

/// Memory whose size is not a constant is examined up to this many bytes.
pub const ROOM: u64 = 256;

/// A cell, by object and place in its list of cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The object.
    pub object: ObjId,
    /// Where the cell starts.
    pub start: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

impl Cell {
    /// Does any access reach it? No access is wider than eight bytes; a cell that is lies between
    /// the accesses.
    pub fn is_accessed(&self) -> bool {
        self.bytes <= 8
    }
}

/// An object.
#[derive(Clone, Debug)]
struct Object {
    base: u64,
    /// How many bytes may be used from `base` on.
    room: u64,
    size: Option<u64>,
    /// Where accesses start and end, once the size is known.
    cuts: Vec<u64>,
    /// By how many threads it is accessed, if it is written at all.
    shared: bool,
    /// Is it unlocked somewhere?
    freed: bool,
    /// How many labels allocate it, and whether all of them fill it with zeros.
    allocations: u32,
    zeroed: bool,
    /// Ranges that only locks use.
    locks: Vec<(u64, u64)>,
    init: Vec<(u64, Term)>,
}

/// All objects of a program.
pub struct Objects {
    list: Vec<Object>,
    /// By object: accesses that can hit it, without repetition.
    hits: Vec<Vec<Access>>,
    /// Bases in order, for finding the object behind an address.
    by_base: Vec<(u64, ObjId)>,
}

impl Objects {
    /// Places them; `bases` are the addresses of those that exist from the start.
    /// With `is_weak`, only the stack of a single thread is not shared.
    pub fn new(
        xcfa: &Xcfa,
        accesses: &Accesses,
        is_weak: bool,
        bases: &dyn Fn(ObjId) -> u64,
    ) -> Objects {
        let mut objects = Objects {
            list: Vec::new(),
            hits: vec![Vec::new(); xcfa.objects.len()],
            by_base: Vec::new(),
        };
        let (mut next, room) = match xcfa.data_model {
            DataModel::Ilp32 => (1u64 << 28, 1u64 << 16),
            DataModel::Lp64 => (1 << 40, 1 << 24),
        };
        for id in xcfa.obj_ids() {
            let object = &xcfa[id];
            let init = match &object.kind {
                ObjectKind::Static { init } => Some(init.clone()),
                _ => None,
            };
            let is_static = init.is_some() || matches!(object.kind, ObjectKind::Function(_));
            let base = match is_static {
                true => bases(id),
                false => next.next_multiple_of(object.align.max(16)),
            };
            let room = object.size.unwrap_or(room);
            if !is_static {
                next = base + room + 16;
            }
            objects.by_base.push((base, id));
            objects.list.push(Object {
                base,
                room,
                size: object.size.filter(|_| is_static),
                cuts: Vec::new(),
                shared: false,
                freed: false,
                allocations: 0,
                zeroed: true,
                locks: Vec::new(),
                init: init.unwrap_or_default(),
            });
        }
        objects.by_base.sort_unstable();
        objects.look_at_allocations(xcfa);
        objects.look_at_accesses(xcfa, accesses);
        if is_weak {
            let kinds = xcfa.objects.iter().map(|object| &object.kind);
            for (object, kind) in objects.list.iter_mut().zip(kinds) {
                object.shared |= *kind != ObjectKind::Stack;
            }
        }
        objects
    }

    fn look_at_allocations(&mut self, xcfa: &Xcfa) {
        for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
            let Label::Alloc {
                object,
                size,
                zeroed,
                ..
            } = label
            else {
                continue;
            };
            let known = &mut self.list[object.0 as usize];
            known.allocations += 1;
            known.zeroed &= zeroed;
            let size = xcfa
                .terms
                .as_const(*size)
                .filter(|&size| size <= known.room);
            known.size = match known.allocations {
                1 => size,
                _ => known.size.filter(|&other| Some(other) == size),
            };
        }
    }

    fn look_at_accesses(&mut self, xcfa: &Xcfa, accesses: &Accesses) {
        let mut users: Vec<FxHashSet<ProcId>> = vec![FxHashSet::default(); self.list.len()];
        let mut written = vec![false; self.list.len()];
        let mut known = FxHashSet::default();
        for (edge, access) in accesses.iter() {
            for object in access.objects() {
                let at = object.0 as usize;
                users[at].insert(xcfa[xcfa[edge].source].proc);
                written[at] |= access.kind != Kind::Load;
                self.list[at].freed |= access.kind == Kind::Free;
                let targets: Vec<_> = access
                    .targets
                    .iter()
                    .filter(|target| target.object == object)
                    .copied()
                    .collect();
                let key = (
                    access.kind as u8,
                    access.bytes,
                    targets,
                    access.residue_key(),
                );
                if known.insert(key) {
                    self.hits[at].push(access.clone());
                }
            }
        }
        for (at, object) in self.list.iter_mut().enumerate() {
            object.shared = written[at] && users[at].len() > 1;
        }
        for at in 0..self.list.len() {
            if self.list[at].size.is_some() {
                self.cut(ObjId(at as u32));
            }
        }
    }

    /// Cuts an object of known size where its accesses start and end.
    fn cut(&mut self, id: ObjId) {
        let at = id.0 as usize;
        let Some(size) = self.list[at].size else {
            return;
        };
        let mut cuts = BTreeSet::from([0, size]);
        let (mut locked, mut plain) = (Vec::new(), Vec::new());
        for access in self.hits[at]
            .iter()
            .filter(|access| access.kind != Kind::Free)
        {
            let targets = access.targets.iter().filter(|target| target.object == id);
            for &target in targets {
                if target.offset == Offset::Any && cuts.len() > 2 * MOST_CELLS {
                    continue;
                }
                for start in access.offsets(target, size) {
                    let end = start + access.bytes;
                    cuts.extend([start, end]);
                    match access.kind {
                        Kind::Lock => {
                            cuts.insert((start + 4).min(end));
                            locked.push((start, end));
                        }
                        Kind::Load => plain.push((start, end)),
                        _ => {}
                    }
                }
            }
        }
        plain.sort_unstable();
        locked.sort_unstable();
        locked.dedup();
        let touched =
            |&(from, to): &(u64, u64)| plain.iter().any(|&(start, end)| start < to && from < end);
        if locked.len() * plain.len() < 1 << 20 {
            locked.retain(|range| !touched(range));
        } else {
            locked.clear();
        }
        let object = &mut self.list[at];
        object.cuts = cuts.into_iter().collect();
        object.locks = locked;
    }

    /// The address of an object.
    pub fn base(&self, object: ObjId) -> u64 {
        self.list[object.0 as usize].base
    }

    /// The size of an object, if it is known by now.
    pub fn size(&self, object: ObjId) -> Option<u64> {
        self.list[object.0 as usize].size
    }

    /// Do several threads use it, at least one of them to write?
    pub fn is_shared(&self, object: ObjId) -> bool {
        self.list[object.0 as usize].shared
    }

    /// Can it be unlocked?
    pub fn is_freed(&self, object: ObjId) -> bool {
        self.list[object.0 as usize].freed
    }

    /// Is it allocated more than once, so that each allocation has to fill it anew?
    pub fn is_refilled(&self, object: ObjId) -> bool {
        self.list[object.0 as usize].allocations > 1
    }

    /// An object is allocated with this many bytes; [`ROOM`] if that is not known.
    pub fn allocate(
        &mut self,
        id: ObjId,
        size: Option<u64>,
        span: Span,
    ) -> Result<(), Unsupported> {
        let object = &mut self.list[id.0 as usize];
        match (size, object.size) {
            (Some(size), Some(known)) if size == known => {}
            (Some(size), None) if object.allocations == 1 && size <= object.room => {
                object.size = Some(size);
                self.cut(id);
            }
            (None, None) if object.allocations == 1 => {
                object.size = Some(ROOM);
                self.cut(id);
            }
            (None, Some(ROOM)) if object.allocations == 1 => {}
            (None, _) => {
                return Err(Unsupported::at(
                    span,
                    "memory of a size that is not constant",
                ));
            }
            _ => {
                return Err(Unsupported::at(
                    span,
                    "memory of several sizes, or of a very large one",
                ));
            }
        }
        match self.list[id.0 as usize].cuts.len() > MOST_CELLS {
            true => Err(Unsupported::at(span, "memory with very many cells")),
            false => Ok(()),
        }
    }

    /// The object that an address is inside of, or at the end of.
    pub fn behind(&self, address: u64) -> Option<ObjId> {
        let at = self.by_base.partition_point(|&(base, _)| base <= address);
        let (base, object) = *self.by_base.get(at.checked_sub(1)?)?;
        let size = self.size(object)?;
        (address <= base + size).then_some(object)
    }

    /// The cells of a range; nothing if the range does not start and end at cuts.
    pub fn cells(&self, object: ObjId, start: u64, bytes: u64) -> Option<Vec<Cell>> {
        let cuts = &self.list[object.0 as usize].cuts;
        let first = cuts.binary_search(&start).ok()?;
        let last = cuts.binary_search(&(start + bytes)).ok()?;
        let cells = cuts[first..=last].windows(2).map(|pair| Cell {
            object,
            start: pair[0],
            bytes: pair[1] - pair[0],
        });
        Some(cells.collect())
    }

    /// What a cell holds when its object begins to exist; nothing if that is arbitrary.
    pub fn first(&self, terms: &mut Terms, cell: Cell) -> Option<Term> {
        let object = &self.list[cell.object.0 as usize];
        if object.allocations == 0 {
            return Some(initial_value(terms, &object.init, cell));
        }
        // A lock that was never initialised is free.
        let end = cell.start + cell.bytes;
        let mut locks = object.locks.iter();
        let is_lock = locks.any(|&(from, to)| from <= cell.start && end <= to);
        (object.zeroed || is_lock).then(|| terms.bv(8 * cell.bytes as u32, 0))
    }
}

impl Access {
    fn residue_key(&self) -> (u64, usize) {
        let first: Vec<u64> = self.residue.up_to(64).take(2).collect();
        (
            first.first().copied().unwrap_or(0),
            first.get(1).map_or(0, |&at| at as usize),
        )
    }
}

/// The bits of a value of any sort.
pub fn to_bits(terms: &mut Terms, value: Term) -> Term {
    match terms.sort(value) {
        Sort::Float(_) => terms.unary(Op::FloatToBits, value),
        Sort::Bool => terms.bool_to_bv(value, 8),
        Sort::Bv(_) => value,
    }
}

/// What a static object has in a cell at the start: later entries win, the rest is zero.
fn initial_value(terms: &mut Terms, init: &[(u64, Term)], cell: Cell) -> Term {
    let mut bytes: Vec<Term> = Vec::new();
    for byte in cell.start..cell.start + cell.bytes {
        let covers = |&&(at, term): &&(u64, Term)| at <= byte && byte < at + terms.bytes(term);
        let value = match init.iter().rev().find(covers).copied() {
            Some((at, term))
                if at == cell.start
                    && terms.width(term) == 8 * cell.bytes as u32
                    && byte == cell.start
                    && is_alone(terms, init, cell) =>
            {
                return to_bits(terms, term);
            }
            Some((at, term)) => {
                let bits = to_bits(terms, term);
                let low = 8 * (byte - at) as u32;
                let high = (low + 7).min(terms.width(bits) - 1);
                let part = terms.extract(bits, high, low);
                terms.resize(part, 8, false)
            }
            None => terms.bv(8, 0),
        };
        bytes.push(value);
    }
    let joined = bytes
        .into_iter()
        .reduce(|low, high| terms.binary(Op::Concat, high, low));
    joined.unwrap_or_else(|| terms.bv(8, 0))
}

/// Does one entry of an initialiser alone say what is in a cell?
fn is_alone(terms: &Terms, init: &[(u64, Term)], cell: Cell) -> bool {
    let touching = init.iter().filter(|&&(at, term)| {
        let bytes = terms.bytes(term);
        at < cell.start + cell.bytes && cell.start < at + bytes
    });
    touching.count() == 1
}
