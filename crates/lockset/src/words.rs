//! Labels that may change the words of locks.
//!
//! A lock is one or two words of memory ([`xcfa::LockMode`]). Locking and unlocking change them, and so
//! may a store, and the end of the object that they are in.

use crate::conflict::meet;
use crate::lock::{Identity, bytes, of_readers};
use crate::program::Program;
use crate::values::Values;
use dataflow::pointsto::{Offset, Target};
use dataflow::{Alignment, Analysed, BitSet, Storage, graph, touches};
use rustc_hash::FxHashMap;

use expr::{ObjId, Term};
use xcfa::{Edge, EdgeId, Label, LockMode, ObjectKind, ProcId, Xcfa};

/// A label of an edge.
pub type At = (EdgeId, usize);

/// What a label does to the words of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Takes the lock.
    Lock(LockMode),
    /// Unlocks the lock.
    Unlock(LockMode),
    /// Writes anything.
    Overwrite,
    /// Ends the life of the memory.
    End,
}

/// A label that may change the words of a lock.
#[derive(Clone, Debug)]
pub struct Change {
    /// Where it is.
    pub at: At,
    /// What it does.
    pub effect: Effect,
    /// Which lock it is, if that is certain.
    pub identity: Option<Identity>,
    /// The bytes that it may change.
    places: Vec<Storage>,
}

impl Change {
    /// May the two change a common byte?
    pub fn meets(&self, other: &Change) -> bool {
        let mut mine = self.places.iter();
        mine.any(|&a| other.places.iter().any(|&b| meet(a, b)))
    }

    /// Does it unlock something unknown?
    pub fn is_wild(&self) -> bool {
        matches!(self.effect, Effect::Unlock(_)) && self.places.is_empty()
    }

    /// The mode in which it takes a lock.
    pub fn taken(&self) -> Option<LockMode> {
        match self.effect {
            Effect::Lock(mode) => Some(mode),
            _ => None,
        }
    }
}

/// All labels of a program that may change the words of some lock.
pub struct Words {
    /// The labels, in the order of the program.
    pub changes: Vec<Change>,
    numbers: FxHashMap<At, usize>,
    /// By procedure: the changes in it and in what it calls.
    reached: Vec<BitSet>,
}

impl Words {
    pub fn of(program: &Program<'_>, values: Option<&Values>) -> Words {
        let xcfa = program.xcfa;
        let single = single_objects(xcfa);
        let mut all = Vec::new();
        for edge in xcfa.edge_ids() {
            if values.is_some_and(|values| !values.is_feasible(edge)) {
                continue;
            }
            for label in 0..xcfa[edge].labels.len() {
                all.extend(change(program, values, &single, (edge, label)));
            }
        }
        let takes: Vec<Change> = all
            .iter()
            .filter(|it| it.taken().is_some())
            .cloned()
            .collect();
        all.retain(|it| it.is_wild() || takes.iter().any(|take| take.meets(it)));
        let numbers = (0..all.len()).map(|at| (all[at].at, at)).collect();
        let reached = reached(xcfa, &all);
        Words {
            changes: all,
            numbers,
            reached,
        }
    }

    /// The number of the change that a label makes.
    pub fn number(&self, at: At) -> Option<usize> {
        self.numbers.get(&at).copied()
    }

    /// The changes that take a lock.
    pub fn takes(&self) -> impl Iterator<Item = usize> + '_ {
        let numbers = 0..self.changes.len();
        numbers.filter(|&at| self.changes[at].taken().is_some())
    }

    /// The changes in a procedure and in what it calls.
    pub fn reached(&self, proc: ProcId) -> &BitSet {
        &self.reached[proc.0 as usize]
    }

    /// Can two labels that take locks only change a common byte if they take the same lock, or
    /// locks of one kind at one address?
    pub fn are_one_lock(&self, alignment: &Alignment<'_>, xcfa: &Xcfa, a: usize, b: usize) -> bool {
        let (a, b) = (&self.changes[a], &self.changes[b]);
        let (Some(mine), Some(other)) = (a.taken(), b.taken()) else {
            return false;
        };
        if !a.meets(b) {
            return true;
        }
        let width = bytes(mine).max(bytes(other));
        let address = |it: &Change| xcfa[it.at.0].labels[it.at.1].terms().next();
        let (Some(x), Some(y)) = (address(a), address(b)) else {
            return false;
        };
        let aligned = || {
            let (x, y) = (alignment.residue(x), alignment.residue(y));
            x.agrees(y, width.trailing_zeros())
        };
        of_readers(mine) == of_readers(other) && (a.are_at_one_offset(b) || aligned())
    }
}

impl Change {
    /// Wherever they meet, are they at the same offset?
    fn are_at_one_offset(&self, other: &Change) -> bool {
        self.places.iter().all(|&a| {
            other.places.iter().all(|&b| {
                let (Storage::Memory(x, _), Storage::Memory(y, _)) = (a, b) else {
                    return false;
                };
                !meet(a, b) || x.offset == y.offset && x.offset != Offset::Any
            })
        })
    }
}

/// What a label may do to the words of a lock.
fn change(
    program: &Program<'_>,
    values: Option<&Values>,
    single: &BitSet,
    at: At,
) -> Option<Change> {
    let xcfa = program.xcfa;
    let label = &xcfa[at.0].labels[at.1];
    let effect = match label {
        Label::Lock { mode, .. } => Effect::Lock(*mode),
        Label::Unlock { mode, .. } => Effect::Unlock(*mode),
        Label::Store { .. } => Effect::Overwrite,
        Label::Free(_) | Label::Dealloc(_) => Effect::End,
        _ => return None,
    };
    let touches = touches(xcfa, program.points_to, label);
    let memory = touches
        .iter()
        .filter(|touch| touch.write)
        .map(|touch| touch.place);
    let places: Vec<Storage> = memory.map(|place| narrowed(place, effect)).collect();
    let identity = match label {
        Label::Lock { addr, .. } | Label::Unlock { addr, .. } => {
            identity(program, values, single, at, *addr)
        }
        // A wider store may hit the next lock as well.
        Label::Store { addr, value } if xcfa.terms.width(*value) <= 32 => {
            identity(program, values, single, at, *addr)
        }
        _ => None,
    };
    Some(Change {
        at,
        effect,
        identity,
        places,
    })
}

/// A mutex is one word, whatever is said about locks in general.
fn narrowed(place: Storage, effect: Effect) -> Storage {
    match (place, effect) {
        (Storage::Memory(target, _), Effect::Lock(mode) | Effect::Unlock(mode)) => {
            Storage::Memory(target, bytes(mode))
        }
        _ => place,
    }
}

/// The lock at an address, if it is certain which one that is.
fn identity(
    program: &Program<'_>,
    values: Option<&Values>,
    single: &BitSet,
    at: At,
    addr: Term,
) -> Option<Identity> {
    let xcfa = program.xcfa;
    let targets = program.points_to.targets(xcfa, addr);
    if let &[
        Target {
            object,
            offset: Offset::At(offset),
        },
    ] = &*targets
        && single.contains(object.0 as usize)
    {
        return Some(Identity::Name(object, offset));
    }
    // Memory of a frame may come back as other memory at the same address.
    let lasts = targets.iter().all(|target| {
        let kind = &xcfa[target.object].kind;
        matches!(kind, ObjectKind::Static { .. } | ObjectKind::Heap)
    });
    let address = values?.evaluated(at.0, at.1).first().copied();
    let known = !targets.is_empty() && lasts;
    address.filter(|_| known).map(Identity::Address)
}

fn reached(xcfa: &Analysed, changes: &[Change]) -> Vec<BitSet> {
    let calls = xcfa.calls();
    let mut own = vec![BitSet::new(); xcfa.procs.len()];
    for (number, change) in changes.iter().enumerate() {
        let proc = xcfa[xcfa[change.at.0].source].proc;
        own[proc.0 as usize].insert(number);
    }
    let of = |proc: ProcId| {
        let mut all = BitSet::new();
        for callee in calls.reaches(proc) {
            all.union_with(&own[callee.0 as usize]);
        }
        all
    };
    xcfa.proc_ids().map(of).collect()
}

/// Static objects, and stack objects that are made at most once in every run.
fn single_objects(xcfa: &Analysed) -> BitSet {
    let threads = xcfa.threads();
    let calls = xcfa.calls();
    let cyclic = graph::on_cycle(&graph::location_successors(xcfa));
    let mut made: FxHashMap<ObjId, Vec<&Edge>> = FxHashMap::default();
    for edge in &xcfa.edges {
        for label in &edge.labels {
            if let Label::Alloc { object, .. } = label {
                made.entry(*object).or_default().push(edge);
            }
        }
    }
    let once = |object: ObjId| match made.get(&object).map(Vec::as_slice) {
        Some([edge]) => {
            let proc = xcfa[edge.source].proc;
            let by: Vec<_> = threads.running(proc).collect();
            !cyclic[edge.source.0 as usize]
                && by == [proc]
                && threads.starts_at_most_once(proc)
                && !calls.is_recursive(proc)
        }
        _ => false,
    };
    let single = |object: ObjId| match xcfa[object].kind {
        ObjectKind::Static { .. } => true,
        ObjectKind::Stack => once(object),
        ObjectKind::Heap | ObjectKind::Function(_) => false,
    };
    xcfa.obj_ids()
        .filter(|&object| single(object))
        .map(|object| object.0 as usize)
        .collect()
}
