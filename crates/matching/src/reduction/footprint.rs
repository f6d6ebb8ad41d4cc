//! What threads access, by location: in their next step, and ever.
//!
//! That a thread ends is something that others may see, by a join, but no reason to let them move first: whatever
//! they can do before the end they can also do after it, with the same result. So the end of a thread is part
//! of what it ever does, which matters to those that wait for it, and no part of its next step.

use dataflow::{Accesses, Analysed, BitSet, JoinTargets, SharedCell, Storage, touches};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::Property;
use std::collections::BTreeSet;
use xcfa::{EdgeId, Label, LocId, ObjectKind, ProcId, Xcfa};

/// Cells that are accessed, by number.
#[derive(Clone, Default)]
pub struct Access {
    reads: BitSet,
    writes: BitSet,
}

impl Access {
    fn add(&mut self, other: &Access) -> bool {
        let reads = self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes) | reads
    }

    /// May the order of the two matter?
    pub fn meets(&self, other: &Access) -> bool {
        self.writes.intersects(&other.writes)
            || self.writes.intersects(&other.reads)
            || self.reads.intersects(&other.writes)
    }
}

/// The next step of a thread, to the end of the atomic section that it begins.
#[derive(Clone, Default)]
pub struct Next {
    /// What it accesses, whichever way it goes.
    pub access: Access,
    /// Can the process end with it?
    pub ends_process: bool,
    /// Can it go round in a loop before the section is over?
    pub loops: bool,
}

/// Accesses of all locations.
pub struct Footprints {
    next: Vec<Next>,
    future: Vec<Access>,
    /// By procedure of a thread that is joined, and that starts once: the same, up to its joins.
    before_join: FxHashMap<ProcId, Vec<Access>>,
    backward: BitSet,
}

impl Footprints {
    /// Visits every edge once, and closes over what follows.
    pub fn of(xcfa: &Analysed, property: Property) -> Footprints {
        let (edges, lives) = accesses(xcfa);
        let loops = &xcfa.loops().loops;
        let back_edges = loops.iter().flat_map(|it| &it.back_edges);
        let backward = back_edges.map(|edge| edge.0 as usize).collect();
        let next = xcfa.loc_ids();
        let visible = |edge: EdgeId| without_end(xcfa, edge, &edges[edge.0 as usize], &lives);
        let visible: Vec<Access> = xcfa.edge_ids().map(visible).collect();
        let next = next.map(|loc| next_step(xcfa, property, &visible, &backward, loc));
        let joins = JoinTargets::of(xcfa, xcfa.points_to());
        let joined = xcfa.edge_ids().filter_map(|edge| joins.of_edge(edge));
        let joined: BTreeSet<ProcId> = joined.collect();
        let before_join = joined.into_iter().map(|thread| {
            let is_behind = |edge: EdgeId| joins.of_edge(edge) == Some(thread);
            (thread, futures(xcfa, &edges, is_behind))
        });
        Footprints {
            next: next.collect(),
            future: futures(xcfa, &edges, |_| false),
            before_join: before_join.collect(),
            backward,
        }
    }

    /// The next step of a thread that is there.
    pub fn next(&self, loc: LocId) -> &Next {
        &self.next[loc.0 as usize]
    }

    /// What a thread that is there, and the threads that it starts, may ever access before the thread that
    /// starts in another procedure has ended.
    pub fn future_before_end(&self, loc: LocId, thread: ProcId) -> &Access {
        let before_join = self.before_join.get(&thread);
        &before_join.unwrap_or(&self.future)[loc.0 as usize]
    }

    /// Does the edge close a loop?
    pub fn closes_loop(&self, edge: EdgeId) -> bool {
        self.backward.contains(edge.0 as usize)
    }
}

/// The accesses of each edge. Beside the cells that threads share there is one for the life of each
/// stack object that other threads know: it ends with its thread, and without a label of its own. The other result
/// are the cells that stand for the lives of threads.
fn accesses(xcfa: &Analysed) -> (Vec<Access>, BitSet) {
    let points_to = xcfa.points_to();
    let shared = Accesses::of(xcfa, points_to, xcfa.sharing(), None);
    let mut known = xcfa.escaped().clone();
    for object in xcfa.obj_ids() {
        if xcfa[object].kind != ObjectKind::Stack {
            known.remove(object.0 as usize);
        }
    }
    let first = shared.cells().len();
    let all = xcfa.edge_ids().map(|id| {
        let mut access = Access {
            reads: shared.edge(id).reads.clone(),
            writes: shared.edge(id).writes.clone(),
        };
        let proc = xcfa[xcfa[id].source].proc;
        for label in &xcfa[id].labels {
            for touch in touches(xcfa, points_to, label) {
                if let Storage::Memory(target, _) = touch.place
                    && known.contains(target.object.0 as usize)
                {
                    access.reads.insert(first + target.object.0 as usize);
                }
            }
            for object in begun_or_ended(xcfa, proc, label) {
                if known.contains(object) {
                    access.writes.insert(first + object);
                }
            }
        }
        access
    });
    let cells = shared.cells().iter().enumerate();
    let lives = cells.filter(|(_, cell)| matches!(cell, SharedCell::Thread(_)));
    (all.collect(), lives.map(|(number, _)| number).collect())
}

/// What an edge accesses beside the end of its thread.
fn without_end(xcfa: &Xcfa, edge: EdgeId, access: &Access, lives: &BitSet) -> Access {
    let labels = &xcfa[edge].labels;
    let ends = |label: &Label| matches!(label, Label::ThreadExit(_));
    let other = |label: &Label| matches!(label, Label::Start { .. } | Label::Join { .. });
    let mut access = access.clone();
    if labels.iter().any(ends) && !labels.iter().any(other) {
        lives.iter().for_each(|cell| {
            access.writes.remove(cell);
        });
    }
    access
}

/// Stack objects whose life a label begins or ends.
fn begun_or_ended(xcfa: &Xcfa, proc: xcfa::ProcId, label: &Label) -> Vec<usize> {
    let made_in = |edge: &xcfa::Edge| xcfa[edge.source].proc == proc;
    match label {
        Label::Alloc { object, .. } | Label::Dealloc(object) => vec![object.0 as usize],
        Label::ThreadExit(_) => {
            let own = xcfa.edges.iter().filter(|edge| made_in(edge));
            let labels = own.flat_map(|edge| &edge.labels);
            let objects = labels.filter_map(|label| match label {
                Label::Alloc { object, .. } => Some(object.0 as usize),
                _ => None,
            });
            objects.collect()
        }
        _ => Vec::new(),
    }
}

fn next_step(
    xcfa: &Xcfa,
    property: Property,
    edges: &[Access],
    backward: &BitSet,
    loc: LocId,
) -> Next {
    let mut next = Next::default();
    let mut seen: FxHashSet<(LocId, i64)> = FxHashSet::default();
    let mut work = vec![(loc, 0)];
    while let Some((loc, depth)) = work.pop() {
        for &edge in &xcfa[loc].out {
            next.access.add(&edges[edge.0 as usize]);
            next.ends_process |= ends_process(xcfa, property, edge);
            next.loops |= depth > 0 && backward.contains(edge.0 as usize);
            let depth = depth + nesting(&xcfa[edge].labels);
            // A loop inside a section is refused anyway, so that depth need not grow further.
            if depth > 0 && !next.loops && seen.insert((xcfa[edge].target, depth)) {
                work.push((xcfa[edge].target, depth));
            }
        }
    }
    next
}

/// How many more atomic sections a thread is in after these labels.
fn nesting(labels: &[Label]) -> i64 {
    let change = |label: &Label| match label {
        Label::AtomicBegin => 1,
        Label::AtomicEnd => -1,
        _ => 0,
    };
    labels.iter().map(change).sum()
}

/// Errors of another kind than the property's end the process.
fn ends_process(xcfa: &Xcfa, property: Property, edge: EdgeId) -> bool {
    let error = xcfa[xcfa[edge].target].error;
    let exits = |label: &Label| matches!(label, Label::Exit(_));
    xcfa[edge].labels.iter().any(exits)
        || error.is_some_and(|error| Some(error) != property.error())
}

fn futures(xcfa: &Xcfa, edges: &[Access], is_behind: impl Fn(EdgeId) -> bool) -> Vec<Access> {
    let mut future = vec![Access::default(); xcfa.locs.len()];
    let followed = xcfa.edge_ids().filter(|&id| !is_behind(id));
    let mut followed: Vec<EdgeId> = followed.collect();
    followed.reverse();
    let mut grown = true;
    while grown {
        grown = false;
        for &id in &followed {
            let edge = &xcfa[id];
            let started = edge.labels.iter().filter_map(|label| match label {
                Label::Start { proc, .. } => Some(xcfa[*proc].init),
                _ => None,
            });
            let mut all = edges[id.0 as usize].clone();
            for loc in started.chain([edge.target]) {
                all.add(&future[loc.0 as usize]);
            }
            grown |= future[edge.source.0 as usize].add(&all);
        }
    }
    future
}
