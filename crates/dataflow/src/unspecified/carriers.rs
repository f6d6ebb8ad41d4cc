//! Which terms carry an address, and of what.
//!
//! Points-to analysis follows copies of addresses; what is computed from one otherwise is a number
//! there. Here every result of arithmetic on an address carries it (but the difference of two
//! addresses does not: it is the same wherever their object is, and where they are not of one object,
//! that is [found](super::address_use)), and so does every part of one that is read from memory, and
//! every value composed of such parts.

use crate::PointsTo;
use crate::pointsto::Spot;
use expr::{Node, ObjId, Op, Sort, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use xcfa::{Callee, Label, ObjectKind, ProcId, Shape, Xcfa};

type Objects = BTreeSet<ObjId>;

/// Where something is stored, and how many bytes of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct StoredBytes {
    at: Spot,
    bytes: u32,
}

impl StoredBytes {
    /// May a value at this place and one at another place of the same object share bytes?
    fn overlap(self, other: StoredBytes) -> Overlap {
        if self.at.is_anywhere() || other.at.is_anywhere() {
            return Overlap::Unknown;
        }
        let meeting = self.at.meets(self.bytes, other.at, other.bytes);
        match meeting.is_equal || meeting.overlaps {
            true => Overlap::Yes,
            false => Overlap::No,
        }
    }
}

enum Overlap {
    No,
    Yes,
    /// One of the offsets is not known.
    Unknown,
}

/// Answers what a term carries.
pub(super) struct Carriers<'a> {
    pub xcfa: &'a Xcfa,
    pub points_to: &'a PointsTo,
    /// Of which objects variables may hold addresses, or something computed from them.
    vars: FxHashMap<VarId, Objects>,
    /// The same for what is stored in objects, by place.
    stored: FxHashMap<StoredBytes, Objects>,
    /// The same, but only for what is no copy of an address.
    computed: FxHashMap<StoredBytes, Objects>,
    /// The places in an object where something is stored.
    places: FxHashMap<ObjId, BTreeSet<StoredBytes>>,
    /// The same for what threads end with.
    results: Objects,
}

impl<'a> Carriers<'a> {
    pub fn new(xcfa: &'a Xcfa, points_to: &'a PointsTo) -> Carriers<'a> {
        let mut carriers = Carriers {
            xcfa,
            points_to,
            vars: FxHashMap::default(),
            stored: FxHashMap::default(),
            computed: FxHashMap::default(),
            places: FxHashMap::default(),
            results: Objects::new(),
        };
        carriers.add_sources();
        while carriers.follow() {}
        carriers
    }

    /// What is neither assigned nor loaded nor arbitrary is taken as the points-to analysis has it.
    fn add_sources(&mut self) {
        let mut given: FxHashSet<VarId> = FxHashSet::default();
        for label in self.xcfa.edges.iter().flat_map(|edge| &edge.labels) {
            let followed = matches!(
                label,
                Label::Assign { .. } | Label::Load { .. } | Label::Havoc { .. }
            );
            given.extend(label.defines().filter(|_| !followed));
        }
        for proc in &self.xcfa.procs {
            given.extend(proc.params.iter().copied().chain(proc.result));
        }
        for var in given {
            let objects = self.points_to.copies_in(self.xcfa, var);
            add(&mut self.vars, var, objects.into_iter().collect());
        }
        for object in self.xcfa.obj_ids() {
            if let ObjectKind::Static { init } = &self.xcfa[object].kind {
                for &(offset, value) in init {
                    let place = self.place(Spot::at(object, offset as i64), value);
                    let objects = self.objects(value);
                    self.store(place, objects, Objects::new());
                }
            }
        }
        for var in self.xcfa.var_ids() {
            let initial = self.xcfa[var].init.map(|term| self.objects(term));
            add(&mut self.vars, var, initial.unwrap_or_default());
        }
    }

    /// One round of assignments, loads and stores; did it tell anything new?
    fn follow(&mut self) -> bool {
        let mut news = false;
        for label in self.xcfa.edges.iter().flat_map(|edge| &edge.labels) {
            match label {
                Label::Assign { var, value } => {
                    let objects = self.objects(*value);
                    news |= add(&mut self.vars, *var, objects);
                }
                Label::Load { var, addr } => {
                    let objects = self.loaded(*var, *addr);
                    news |= add(&mut self.vars, *var, objects);
                }
                Label::Store { addr, value } => {
                    let objects = self.objects(*value);
                    let mut computed = objects.clone();
                    for copied in self.points_to.copies(self.xcfa, *value) {
                        computed.remove(&copied);
                    }
                    for spot in self.points_to.copied_spots(self.xcfa, *addr) {
                        let place = self.place(spot, *value);
                        news |= self.store(place, objects.clone(), computed.clone());
                    }
                }
                Label::Start { proc, arg, .. } => news |= self.pass(*proc, &[*arg]),
                Label::Call {
                    callee: Callee::Direct(proc),
                    args,
                    result,
                } => {
                    news |= self.pass(*proc, args);
                    if let (Some(to), Some(from)) = (result, self.xcfa[*proc].result) {
                        let objects = self.vars.get(&from).cloned().unwrap_or_default();
                        news |= add(&mut self.vars, *to, objects);
                    }
                }
                Label::ThreadExit(value) => {
                    let before = self.results.len();
                    self.results.extend(self.objects(*value));
                    news |= self.results.len() > before;
                }
                Label::Join {
                    result: Some(var), ..
                } => {
                    let results = self.results.clone();
                    news |= add(&mut self.vars, *var, results);
                }
                _ => {}
            }
        }
        news
    }

    fn pass(&mut self, proc: ProcId, args: &[Term]) -> bool {
        let params = &self.xcfa[proc].params;
        let mut news = false;
        for (&param, &arg) in params.iter().zip(args) {
            let objects = self.objects(arg);
            news |= add(&mut self.vars, param, objects);
        }
        news
    }

    /// Where a value is put.
    fn place(&self, at: Spot, value: Term) -> StoredBytes {
        let bytes = self.xcfa.terms.bytes(value) as u32;
        StoredBytes { at, bytes }
    }

    /// Notes what is stored; is that news?
    fn store(&mut self, place: StoredBytes, objects: Objects, computed: Objects) -> bool {
        if objects.is_empty() {
            return false;
        }
        self.places
            .entry(place.at.object)
            .or_default()
            .insert(place);
        let news = add(&mut self.stored, place, objects);
        add(&mut self.computed, place, computed) || news
    }

    /// What a load gets: addresses, what was computed from them, or parts of them.
    fn loaded(&self, var: VarId, addr: Term) -> Objects {
        let (width, address) = (self.xcfa[var].sort.width(), self.xcfa.pointer_bits());
        let mut objects = Objects::new();
        if width >= address {
            objects.extend(self.points_to.copies_in(self.xcfa, var));
        }
        let bytes = width.div_ceil(8);
        let known = if width >= address {
            &self.computed
        } else {
            &self.stored
        };
        for at in self.points_to.copied_spots(self.xcfa, addr) {
            let shape = &self.xcfa[at.object].shape;
            // Characters may be read anywhere (C11 6.5, 7).
            let fits = width >= address || width == 8 || has_part(shape, width, address);
            let read = StoredBytes { at, bytes };
            let places = self.places.get(&at.object).into_iter().flatten();
            let read = places.filter(|place| match read.overlap(**place) {
                Overlap::No => false,
                Overlap::Yes => true,
                Overlap::Unknown => fits,
            });
            objects.extend(read.flat_map(|place| known.get(place).into_iter().flatten()));
        }
        objects
    }

    /// May the value of the term be an address, or computed from one?
    pub fn carries(&self, term: Term) -> bool {
        !self.objects(term).is_empty()
    }

    /// The objects whose address a term may carry.
    pub fn objects(&self, term: Term) -> Objects {
        let terms = &self.xcfa.terms;
        if terms.sort(term) == Sort::Bool {
            return Objects::new();
        }
        match terms.node(term) {
            Node::Const(..) => Objects::new(),
            Node::Var(var, _) => self.vars.get(&var).cloned().unwrap_or_default(),
            Node::Base(object, _) => Objects::from([object]),
            Node::Unary(_, a) => self.objects(a),
            Node::Binary(op, a, b) => {
                let (mut a, b) = (self.objects(a), self.objects(b));
                // If only the second is an address, that is found too.
                if op == Op::Sub && !b.is_empty() {
                    return Objects::new();
                }
                a.extend(b);
                a
            }
            Node::Ite(_, a, b) => {
                let mut a = self.objects(a);
                a.extend(self.objects(b));
                a
            }
        }
    }
}

/// Notes what is carried; is that news?
fn add<K: std::hash::Hash + Eq>(known: &mut FxHashMap<K, Objects>, key: K, new: Objects) -> bool {
    if new.is_empty() {
        return false;
    }
    let known = known.entry(key).or_default();
    let before = known.len();
    known.extend(new);
    known.len() > before
}

/// May a scalar of this width, narrower than an address, be a part of an address in an object of this
/// shape? Not if there are scalars of the width beside places for whole addresses, unless a union
/// puts the two in one place: to access a part otherwise is undefined, but for bytes.
pub(super) fn has_part(shape: &Shape, width: u32, address: u32) -> bool {
    let mut scalars = Vec::new();
    list_scalars(shape, 0, &mut scalars);
    let wide: Vec<u64> = scalars
        .iter()
        .filter(|&&(_, bits)| bits == address)
        .map(|&(at, _)| at)
        .collect();
    let mut own = scalars.iter().filter(|&&(_, bits)| bits == width);
    let covered = |at: u64| {
        wide.iter()
            .any(|&start| (start..start + u64::from(address / 8)).contains(&at))
    };
    match (scalars.is_empty(), wide.is_empty()) {
        (true, _) => width == 8,
        (false, true) => true,
        (false, false) => match own.clone().next() {
            Some(_) => own.any(|&(at, _)| covered(at)),
            None => width == 8,
        },
    }
}

/// The scalars of a shape by offset and width; of an array, those of its first element.
fn list_scalars(shape: &Shape, at: u64, out: &mut Vec<(u64, u32)>) {
    match shape {
        Shape::Scalar { sort, .. } => out.push((at, sort.width())),
        Shape::Array { element, .. } => list_scalars(element, at, out),
        Shape::Record(members) => {
            for (_, offset, member) in members {
                list_scalars(member, at + offset, out);
            }
        }
        Shape::Bytes => {}
    }
}
