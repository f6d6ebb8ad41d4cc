//! What happens to fresh memory before anything is stored in it.

use super::access::{Access, Accesses, Kind};
use super::owner::{Owner, Site};
use dataflow::PointsTo;
use expr::ObjId;
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{EdgeId, Label, LocId, Xcfa};

/// Answers whether the arbitrary contents of fresh memory can be seen.
pub(super) struct FreshContents<'a> {
    xcfa: &'a Xcfa,
    accesses: &'a Accesses,
    /// The objects that others may find by their addresses as numbers.
    exposed: Vec<ObjId>,
    /// By label: the objects whose address it may make known to other threads or procedures.
    published: FxHashMap<(EdgeId, usize), Vec<ObjId>>,
}

/// A range of bytes of an object.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) object: ObjId,
    pub(super) start: u64,
    pub(super) end: u64,
}

/// What a label means for a range that nothing has been stored in yet.
enum Meaning {
    /// The range is overwritten, or begins a new life.
    Settled,
    /// It may be read, or become known to code that reads it.
    Seen,
    Nothing,
}

impl<'a> FreshContents<'a> {
    pub(super) fn new(
        xcfa: &'a Xcfa,
        points_to: &PointsTo,
        accesses: &'a Accesses,
    ) -> FreshContents<'a> {
        let mut published = FxHashMap::default();
        for edge in xcfa.edge_ids() {
            for (index, label) in xcfa[edge].labels.iter().enumerate() {
                let objects = objects_published(xcfa, points_to, label);
                if !objects.is_empty() {
                    published.insert((edge, index), objects);
                }
            }
        }
        let exposed = points_to.exposed().iter().map(|target| target.object);
        FreshContents {
            exposed: exposed.collect(),
            xcfa,
            accesses,
            published,
        }
    }

    /// Can the range be read after this allocation, before it is overwritten?
    pub(super) fn is_seen(&self, owner: &Owner, site: Site, range: Range) -> bool {
        let mut accesses = self.accesses.of_object(range.object);
        if !accesses.any(|access| reads(access, range)) {
            return false;
        }
        // Others may have kept the address since an earlier life at the same place.
        let known = !owner.allocated_once
            || self.exposed.contains(&range.object)
            || self.publishes(site.edge, site.index, range.object);
        if owner.shared && known {
            return true;
        }
        let mut visited: FxHashSet<LocId> = FxHashSet::default();
        let mut work = Vec::new();
        match self.follow(owner, site.edge, site.index + 1, range) {
            Meaning::Seen => return true,
            Meaning::Settled => return false,
            Meaning::Nothing => work.push(self.xcfa[site.edge].target),
        }
        while let Some(loc) = work.pop() {
            if !visited.insert(loc) {
                continue;
            }
            for &edge in &self.xcfa[loc].out {
                match self.follow(owner, edge, 0, range) {
                    Meaning::Seen => return true,
                    Meaning::Settled => {}
                    Meaning::Nothing => work.push(self.xcfa[edge].target),
                }
            }
        }
        false
    }

    /// The labels of an edge from `first` on.
    fn follow(&self, owner: &Owner, edge: EdgeId, first: usize, range: Range) -> Meaning {
        for index in first..self.xcfa[edge].labels.len() {
            match self.label(owner, edge, index, range) {
                Meaning::Nothing => {}
                found => return found,
            }
        }
        Meaning::Nothing
    }

    fn label(&self, owner: &Owner, edge: EdgeId, index: usize, range: Range) -> Meaning {
        let Range { object, start, end } = range;
        let label = &self.xcfa[edge].labels[index];
        if matches!(label, Label::Alloc { object: other, .. } if *other == object) {
            return Meaning::Settled;
        }
        if owner.shared && self.publishes(edge, index, object) {
            return Meaning::Seen;
        }
        match self.accesses.at(edge, index) {
            Some(access) if access.overwrites(object, start, end) => Meaning::Settled,
            Some(access) if reads(access, range) => Meaning::Seen,
            // A store that overwrites a part only leaves the rest as it was.
            _ => Meaning::Nothing,
        }
    }

    fn publishes(&self, edge: EdgeId, index: usize, object: ObjId) -> bool {
        let published = self.published.get(&(edge, index));
        published.is_some_and(|objects| objects.contains(&object))
    }
}

/// The objects whose address a label may make known to other threads or procedures.
fn objects_published(xcfa: &Xcfa, points_to: &PointsTo, label: &Label) -> Vec<ObjId> {
    match label {
        Label::Store { value, .. } => points_to.objects(xcfa, *value),
        Label::Assign { var, value } if xcfa.is_global(*var) => points_to.objects(xcfa, *value),
        Label::Alloc { var, object, .. } if xcfa.is_global(*var) => vec![*object],
        Label::Start { arg, .. } => points_to.objects(xcfa, *arg),
        Label::ThreadExit(value) => points_to.objects(xcfa, *value),
        Label::Call { args, .. } => {
            let objects = args.iter().flat_map(|&arg| points_to.objects(xcfa, arg));
            objects.collect()
        }
        _ => Vec::new(),
    }
}

fn reads(access: &Access, range: Range) -> bool {
    matches!(access.kind, Kind::Load | Kind::Sync)
        && access.touches(range.object, range.start, range.end)
}
