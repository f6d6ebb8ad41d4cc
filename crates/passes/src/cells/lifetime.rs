//! Which objects need a flag that says whether they are alive.
//!
//! A pointer to an object exists only after its allocation, so only accesses after its end
//! matter. Within a procedure these are found by following the edges from each end; between
//! procedures nothing is known about order, so there every end comes before every access.

use super::access::{Accesses, Kind};
use super::owner::Owner;
use dataflow::BitSet;
use expr::ObjId;
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{EdgeId, Label, LocId, ObjectKind, ProcId, Xcfa};

pub(super) struct Ends {
    /// By object: the labels that end it in the procedure of the label.
    deallocs: FxHashMap<ObjId, Vec<(EdgeId, usize)>>,
    /// By object: the labels that allocate it.
    allocs: FxHashMap<ObjId, Vec<(EdgeId, usize)>>,
    /// The procedures in which a thread can end.
    exits: BitSet,
}

impl Ends {
    /// Collects them.
    pub(super) fn of(xcfa: &Xcfa) -> Ends {
        let mut ends = Ends {
            deallocs: FxHashMap::default(),
            allocs: FxHashMap::default(),
            exits: BitSet::new(),
        };
        for edge in xcfa.edge_ids() {
            for (index, label) in xcfa[edge].labels.iter().enumerate() {
                match label {
                    Label::Dealloc(object) => {
                        let list = ends.deallocs.entry(*object).or_default();
                        list.push((edge, index));
                    }
                    Label::Alloc { object, .. } => {
                        let list = ends.allocs.entry(*object).or_default();
                        list.push((edge, index));
                    }
                    Label::ThreadExit(_) => {
                        ends.exits.insert(proc_of(xcfa, edge).0 as usize);
                    }
                    _ => {}
                }
            }
        }
        ends
    }

    /// Can an access come after the end of the object?
    pub(super) fn needs_flag(
        &self,
        xcfa: &Xcfa,
        accesses: &Accesses,
        object: ObjId,
        owner: &Owner,
    ) -> bool {
        let Some(proc) = owner.proc else { return false };
        let frees = accesses.of_object(object);
        let frees = frees.filter(|access| access.kind == Kind::Free);
        let mut ends: Vec<(EdgeId, usize)> = frees.map(|free| (free.edge, free.index)).collect();
        let on_stack = is_on_stack(xcfa, object);
        if let Some(deallocs) = self.deallocs.get(&object).filter(|_| on_stack) {
            let own = deallocs
                .iter()
                .filter(|(edge, _)| proc_of(xcfa, *edge) == proc);
            ends.extend(own);
        }
        if owner.shared {
            return on_stack && self.exits.contains(proc.0 as usize) || !ends.is_empty();
        }
        let allocs = self.allocs.get(&object).map_or(&[][..], Vec::as_slice);
        let accesses = accesses.of_object(object);
        let accesses = accesses.map(|access| (access.edge, access.index));
        !ends.is_empty() && is_accessed_after(xcfa, accesses, allocs, &ends)
    }
}

/// Does the object end with the thread that allocated it?
pub(super) fn is_on_stack(xcfa: &Xcfa, object: ObjId) -> bool {
    xcfa[object].kind == ObjectKind::Stack && xcfa[object].size.is_some()
}

fn proc_of(xcfa: &Xcfa, edge: EdgeId) -> ProcId {
    xcfa[xcfa[edge].source].proc
}

/// What a label does to an object, as far as its lifetime goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Access,
    Alloc,
    End,
}

/// Can one of the ends be followed by an access without a new allocation in between?
///
/// The search goes backwards from the accesses: allocations stop it, so that it stays where the object
/// lives.
fn is_accessed_after(
    xcfa: &Xcfa,
    accesses: impl Iterator<Item = (EdgeId, usize)>,
    allocs: &[(EdgeId, usize)],
    ends: &[(EdgeId, usize)],
) -> bool {
    let mut events: FxHashMap<EdgeId, Vec<(usize, Event)>> = FxHashMap::default();
    let accesses: Vec<(EdgeId, usize)> = accesses.collect();
    for (places, event) in [
        (accesses.as_slice(), Event::Access),
        (allocs, Event::Alloc),
        (ends, Event::End),
    ] {
        for &(edge, index) in places {
            events.entry(edge).or_default().push((index, event));
        }
    }
    for list in events.values_mut() {
        list.sort_unstable();
    }
    // What comes last on an edge, before this label.
    let last = |edge: EdgeId, before: usize| {
        let list = events.get(&edge).map_or(&[][..], Vec::as_slice);
        let mut earlier = list.iter().rev().filter(|(index, _)| *index < before);
        earlier.next().map(|(_, event)| *event)
    };
    let mut visited: FxHashSet<LocId> = FxHashSet::default();
    let mut work = Vec::new();
    for (edge, index) in accesses {
        match last(edge, index) {
            Some(Event::End) => return true,
            Some(_) => {}
            None => work.push(xcfa[edge].source),
        }
    }
    while let Some(loc) = work.pop() {
        if !visited.insert(loc) {
            continue;
        }
        for &edge in &xcfa[loc].inc {
            match last(edge, usize::MAX) {
                Some(Event::End) => return true,
                // The search begins at every access anyway.
                Some(_) => {}
                None => work.push(xcfa[edge].source),
            }
        }
    }
    false
}
