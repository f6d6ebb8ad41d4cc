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
    /// The procedures in which a thread can end.
    exits: BitSet,
}

impl Ends {
    /// Collects them.
    pub(super) fn of(xcfa: &Xcfa) -> Ends {
        let mut ends = Ends {
            deallocs: FxHashMap::default(),
            exits: BitSet::new(),
        };
        for edge in xcfa.edge_ids() {
            for (index, label) in xcfa[edge].labels.iter().enumerate() {
                match label {
                    Label::Dealloc(object) => {
                        let list = ends.deallocs.entry(*object).or_default();
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
        let mut ends = ends.into_iter();
        ends.any(|(edge, index)| is_accessed_after(xcfa, accesses, object, edge, index))
    }
}

/// Does the object end with the thread that allocated it?
pub(super) fn is_on_stack(xcfa: &Xcfa, object: ObjId) -> bool {
    xcfa[object].kind == ObjectKind::Stack && xcfa[object].size.is_some()
}

fn proc_of(xcfa: &Xcfa, edge: EdgeId) -> ProcId {
    xcfa[xcfa[edge].source].proc
}

/// Can the procedure of an end go on to an access without a new allocation in between?
fn is_accessed_after(
    xcfa: &Xcfa,
    accesses: &Accesses,
    object: ObjId,
    edge: EdgeId,
    index: usize,
) -> bool {
    // Gives `Some(true)` at an access, `Some(false)` at an allocation.
    let scan = |edge: EdgeId, first: usize| {
        let labels = &xcfa[edge].labels;
        (first..labels.len()).find_map(|index| match &labels[index] {
            Label::Alloc { object: other, .. } if *other == object => Some(false),
            _ => {
                let access = accesses.at(edge, index)?;
                let hits = access.hits.iter().any(|hit| hit.object == object);
                hits.then_some(true)
            }
        })
    };
    let mut visited: FxHashSet<LocId> = FxHashSet::default();
    let mut work = match scan(edge, index + 1) {
        Some(found) => return found,
        None => vec![xcfa[edge].target],
    };
    while let Some(loc) = work.pop() {
        if !visited.insert(loc) {
            continue;
        }
        for &edge in &xcfa[loc].out {
            match scan(edge, 0) {
                Some(true) => return true,
                Some(false) => {}
                None => work.push(xcfa[edge].target),
            }
        }
    }
    false
}
