//! What each label can access, as far as that is known before threads are followed.

use dataflow::pointsto::{Offset, Target};
use dataflow::{Alignment, PointsTo, Residue};
use expr::{ObjId, Term};
use std::collections::BTreeMap;
use xcfa::{EdgeId, Label, ObjectKind, Xcfa};

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Locks or unlocks a lock: one word, or two.
    Lock,
    /// Ends an object.
    Free,
}

/// An access.
#[derive(Clone, Debug)]
pub struct Access {
    /// What it does.
    pub kind: Kind,
    /// How many bytes are accessed together; a lock's words are accessed one by one.
    pub bytes: u64,
    /// What the address can point to.
    pub targets: Vec<Target>,
    /// Where the address can be in an object of which any offset is possible.
    pub residue: Residue,
}

impl Access {
    /// The objects that it can hit.
    pub fn objects(&self) -> impl Iterator<Item = ObjId> + '_ {
        let mut last = None;
        let objects = self.targets.iter().map(|target| target.object);
        objects.filter(move |&object| last.replace(object) != Some(object))
    }

    /// Where it can start in an object of this size.
    pub fn offsets(&self, target: Target, size: u64) -> Vec<u64> {
        let Some(last) = size.checked_sub(self.bytes) else {
            return Vec::new();
        };
        match target.offset {
            Offset::At(at) => {
                let at = u64::try_from(at).ok().filter(|&at| at <= last);
                at.into_iter().collect()
            }
            Offset::Any => self.residue.up_to(last).collect(),
        }
    }
}

/// The accesses of a program, by edge and label.
#[derive(Default)]
pub struct Accesses {
    by_label: BTreeMap<(EdgeId, usize), Access>,
}

impl Accesses {
    /// Finds them; those to condition variables only if `conditions` says so.
    pub fn of(xcfa: &Xcfa, conditions: bool) -> Accesses {
        let points_to = PointsTo::of(xcfa);
        let alignment = Alignment::of(xcfa, &points_to);
        let mut accesses = Accesses::default();
        for edge in xcfa.edge_ids() {
            for (at, label) in xcfa[edge].labels.iter().enumerate() {
                let Some((kind, addr, bytes)) = parts(xcfa, label, conditions) else {
                    continue;
                };
                let mut targets = points_to.targets(xcfa, addr);
                targets.retain(|target| is_data(xcfa, target.object, kind));
                let access = Access {
                    kind,
                    bytes,
                    targets,
                    residue: alignment.residue(addr),
                };
                accesses.by_label.insert((edge, at), access);
            }
        }
        accesses
    }

    /// The access of a label.
    pub fn at(&self, edge: EdgeId, label: usize) -> Option<&Access> {
        self.by_label.get(&(edge, label))
    }

    /// All of them, with their edges.
    pub fn iter(&self) -> impl Iterator<Item = (EdgeId, &Access)> {
        self.by_label
            .iter()
            .map(|(&(edge, _), access)| (edge, access))
    }
}

fn parts(xcfa: &Xcfa, label: &Label, conditions: bool) -> Option<(Kind, Term, u64)> {
    Some(match label {
        Label::Load { var, addr } => (Kind::Load, *addr, xcfa[*var].sort.bytes()),
        Label::Store { addr, value } => (Kind::Store, *addr, xcfa.terms.bytes(*value)),
        Label::Free(addr) => (Kind::Free, *addr, 0),
        _ if label.is_signalling() && !conditions => return None,
        _ => {
            let (addr, bytes) = label.sync_object()?;
            (Kind::Lock, addr, bytes)
        }
    })
}

fn is_data(xcfa: &Xcfa, object: ObjId, kind: Kind) -> bool {
    match xcfa[object].kind {
        ObjectKind::Function(_) => false,
        ObjectKind::Heap => true,
        ObjectKind::Static { .. } if xcfa[object].constant && kind == Kind::Store => false,
        ObjectKind::Static { .. } | ObjectKind::Stack => kind != Kind::Free,
    }
}
