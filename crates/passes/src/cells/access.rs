//! Every access to memory, with all the places that it can hit.

use dataflow::Alignment;
use dataflow::pointsto::{Offset, Target};
use dataflow::{PointsTo, Validity};
use expr::{ObjId, Sort, Term};
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, Label, ObjectKind, ProcId, Xcfa};

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Load,
    Store,
    /// A lock or condition variable is used.
    Sync,
    /// Heap memory is freed; only the start of an object can be hit.
    Free,
}

/// The places of one object that an access can hit.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) object: ObjId,
    /// Where the access can start; inside the object as far as its size is known.
    pub(super) offsets: Vec<u64>,
    pub(super) too_many: bool,
}

/// One access.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) edge: EdgeId,
    /// Which label of the edge.
    pub(super) index: usize,
    pub(super) proc: ProcId,
    pub(super) kind: Kind,
    pub(super) addr: Term,
    pub(super) bytes: u64,
    pub(super) sort: Sort,
    pub(super) hits: Vec<Hit>,
    /// Does it certainly hit a living object?
    pub(super) certain: bool,
}

impl Access {
    pub(super) fn places(&self) -> usize {
        self.hits.iter().map(|hit| hit.offsets.len()).sum()
    }

    pub(super) fn offsets_in(&self, object: ObjId) -> &[u64] {
        let hit = self.hits.iter().find(|hit| hit.object == object);
        hit.map_or(&[], |hit| &hit.offsets)
    }

    /// Can it hit a byte of this range?
    pub(super) fn touches(&self, object: ObjId, start: u64, end: u64) -> bool {
        let inside = |&at: &u64| at < end && start < at + self.bytes;
        self.offsets_in(object).iter().any(inside)
    }

    /// Is it a store that certainly covers this range, if it happens at all?
    pub(super) fn overwrites(&self, object: ObjId, start: u64, end: u64) -> bool {
        let covers = |&at: &u64| at <= start && end <= at + self.bytes;
        self.kind == Kind::Store
            && self.places() == 1
            && self.offsets_in(object).iter().all(covers)
            && !self.offsets_in(object).is_empty()
    }
}

/// The accesses of a program.
#[derive(Clone, Debug)]
pub(super) struct Accesses {
    pub(super) all: Vec<Access>,
    by_label: FxHashMap<(EdgeId, usize), usize>,
    /// By object: the accesses that can hit it.
    of_object: Vec<Vec<usize>>,
    /// Places that an access can hit are listed up to this many.
    pub(super) most_places: usize,
}

impl Accesses {
    /// Finds them; `sizes` are those of the objects, where they are known.
    pub(super) fn of(
        xcfa: &Xcfa,
        points_to: &PointsTo,
        sizes: &[Option<u64>],
        most_places: usize,
    ) -> Accesses {
        let collector = Collector {
            xcfa,
            points_to,
            alignment: Alignment::of(xcfa, points_to),
            validity: Validity::of(xcfa),
            sizes,
            most_places,
        };
        let mut accesses = Accesses {
            all: Vec::new(),
            by_label: FxHashMap::default(),
            of_object: vec![Vec::new(); xcfa.objects.len()],
            most_places,
        };
        for edge in xcfa.edge_ids() {
            for index in 0..xcfa[edge].labels.len() {
                if let Some(access) = collector.access(edge, index) {
                    accesses.add(access);
                }
            }
        }
        accesses
    }

    fn add(&mut self, access: Access) {
        let number = self.all.len();
        self.by_label.insert((access.edge, access.index), number);
        for hit in &access.hits {
            self.of_object[hit.object.0 as usize].push(number);
        }
        self.all.push(access);
    }

    /// The access of a label.
    pub(super) fn at(&self, edge: EdgeId, index: usize) -> Option<&Access> {
        let number = self.by_label.get(&(edge, index))?;
        Some(&self.all[*number])
    }

    pub(super) fn of_object(&self, object: ObjId) -> impl Iterator<Item = &Access> {
        let numbers = self.of_object[object.0 as usize].iter();
        numbers.map(|&number| &self.all[number])
    }
}

struct Collector<'a> {
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    alignment: Alignment<'a>,
    validity: Validity,
    sizes: &'a [Option<u64>],
    most_places: usize,
}

impl Collector<'_> {
    fn access(&self, edge: EdgeId, index: usize) -> Option<Access> {
        let xcfa = self.xcfa;
        let word = Sort::Bv(8);
        let (kind, addr, sort, bytes) = match &xcfa[edge].labels[index] {
            Label::Load { var, addr } => {
                let sort = xcfa[*var].sort;
                (Kind::Load, *addr, sort, sort.bytes())
            }
            Label::Store { addr, value } => {
                let sort = xcfa.terms.sort(*value);
                (Kind::Store, *addr, sort, sort.bytes())
            }
            Label::Free(addr) => (Kind::Free, *addr, word, 0),
            label => {
                let (addr, bytes) = label.sync_object()?;
                (Kind::Sync, addr, word, bytes)
            }
        };
        let mut hits: Vec<Hit> = Vec::new();
        for target in self.points_to.targets(xcfa, addr) {
            self.add_hit(&mut hits, kind, addr, bytes, target);
        }
        let plain = matches!(kind, Kind::Load | Kind::Store);
        let certain = plain && self.validity.is_valid(xcfa, edge, index);
        Some(Access {
            edge,
            index,
            proc: xcfa[xcfa[edge].source].proc,
            kind,
            addr,
            bytes,
            sort,
            hits,
            certain,
        })
    }

    fn add_hit(&self, hits: &mut Vec<Hit>, kind: Kind, addr: Term, bytes: u64, target: Target) {
        let object = target.object;
        let possible = match self.xcfa[object].kind {
            ObjectKind::Function(_) => false,
            ObjectKind::Heap => true,
            ObjectKind::Static { .. } if self.xcfa[object].constant && kind == Kind::Store => false,
            ObjectKind::Static { .. } | ObjectKind::Stack => kind != Kind::Free,
        };
        if !possible {
            return;
        }
        let (offsets, too_many) = self.offsets(kind, addr, bytes, target);
        let known = self.sizes[object.0 as usize].is_some();
        if known && offsets.is_empty() && !too_many {
            return;
        }
        match hits.iter_mut().find(|hit| hit.object == object) {
            Some(hit) => hit.offsets.extend(offsets),
            None => hits.push(Hit {
                object,
                offsets,
                too_many,
            }),
        }
    }

    /// Where in its target an access can start, and whether these are too many to list.
    fn offsets(&self, kind: Kind, addr: Term, bytes: u64, target: Target) -> (Vec<u64>, bool) {
        let size = self.sizes[target.object.0 as usize];
        let last = match kind {
            Kind::Free => Some(0),
            _ => size.and_then(|size| size.checked_sub(bytes)),
        };
        match (target.offset, last) {
            (_, None) => (Vec::new(), false),
            (Offset::At(at), Some(last)) => {
                let at = u64::try_from(at).ok().filter(|&at| at <= last);
                (at.into_iter().collect(), false)
            }
            (Offset::Any, Some(last)) => {
                let all = self.alignment.residue(addr).up_to(last);
                let some: Vec<u64> = all.take(self.most_places + 1).collect();
                match some.len() > self.most_places {
                    true => (Vec::new(), true),
                    false => (some, false),
                }
            }
        }
    }
}
