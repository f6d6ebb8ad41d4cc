//! Locks that a thread certainly holds at a location.
//!
//! Law: whenever a thread stands at a location, it holds every lock listed there, in that mode.
//! A lock has a name only if its address is one byte of one object that exists once, and if
//! nothing but lock operations changes its words once there are threads; for all others nothing
//! is claimed. A program in which a thread gives back what another one holds is undefined, and
//! outside this law. The other direction is not meant: a lock that is not listed may be held.

use crate::escape::locations_before_threads;
use crate::pointsto::{Offset, PointsTo, Target};
use crate::touch::{Place, touches};
use crate::{BitSet, CallGraph, Threads, graph};
use expr::{ObjId, Term};
use rustc_hash::FxHashMap;
use xcfa::{Callee, Edge, Label, LocId, LockMode, ObjectKind, ProcId, Xcfa};

/// A lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeldLock {
    /// The object that it is part of.
    pub object: ObjId,
    /// Where in it.
    pub offset: i64,
    /// How it is held.
    pub mode: LockMode,
}

/// The locks held at every location.
#[derive(Clone, Debug)]
pub struct Locksets {
    locks: Vec<HeldLock>,
    held: Vec<Option<BitSet>>,
}

impl Locksets {
    /// Analyses every procedure; each starts with nothing held.
    pub fn of(xcfa: &Xcfa, points_to: &PointsTo) -> Locksets {
        let mut analysis = Analysis::new(xcfa, points_to);
        let mut held: Vec<Option<BitSet>> = vec![None; xcfa.locs.len()];
        let mut work: Vec<LocId> = Vec::new();
        for proc in &xcfa.procs {
            held[proc.init.0 as usize] = Some(BitSet::new());
            work.push(proc.init);
        }
        while let Some(loc) = work.pop() {
            for &edge in &xcfa[loc].out {
                let mut after = held[loc.0 as usize].clone().expect("it was reached");
                for label in &xcfa[edge].labels {
                    analysis.pass(label, &mut after);
                }
                let target = xcfa[edge].target;
                if join(&mut held[target.0 as usize], after) {
                    work.push(target);
                }
            }
        }
        Locksets {
            locks: analysis.locks,
            held,
        }
    }

    /// The locks that are certainly held at a location.
    pub fn held(&self, loc: LocId) -> Vec<HeldLock> {
        let set = self.held[loc.0 as usize].iter().flat_map(|set| set.iter());
        let mut locks: Vec<_> = set.map(|lock| self.locks[lock]).collect();
        locks.sort_unstable();
        locks
    }
}

fn join(known: &mut Option<BitSet>, new: BitSet) -> bool {
    match known {
        Some(old) => old.intersect_with(&new),
        None => {
            *known = Some(new);
            true
        }
    }
}

struct Analysis<'a> {
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    calls: CallGraph,
    locks: Vec<HeldLock>,
    numbers: FxHashMap<HeldLock, usize>,
    /// Objects of which there is one instance.
    single: BitSet,
    /// What plain stores change while threads may exist.
    stored: Vec<(Target, u64)>,
}

impl<'a> Analysis<'a> {
    fn new(xcfa: &'a Xcfa, points_to: &'a PointsTo) -> Analysis<'a> {
        Analysis {
            xcfa,
            points_to,
            calls: CallGraph::of(xcfa),
            locks: Vec::new(),
            numbers: FxHashMap::default(),
            single: single_objects(xcfa),
            stored: stores_between_threads(xcfa, points_to),
        }
    }

    fn pass(&mut self, label: &Label, held: &mut BitSet) {
        match label {
            Label::Lock { addr, mode } => {
                if let Some(lock) = self.name(*addr, *mode) {
                    let number = self.number(lock);
                    held.insert(number);
                }
            }
            Label::Unlock { addr, .. } | Label::Store { addr, .. } => {
                let targets = self.points_to.targets(self.xcfa, *addr);
                self.release(label, &targets, held);
            }
            Label::Call { callee, .. } => self.call(callee, held),
            _ => {}
        }
    }

    /// The lock at an address, if it is certain which one that is.
    fn name(&self, addr: Term, mode: LockMode) -> Option<HeldLock> {
        let targets = self.points_to.targets(self.xcfa, addr);
        let &[
            Target {
                object,
                offset: Offset::At(offset),
            },
        ] = &*targets
        else {
            return None;
        };
        let lock = HeldLock {
            object,
            offset,
            mode,
        };
        let disturbed = self
            .stored
            .iter()
            .any(|&(at, size)| overlaps(&lock, at, size));
        (self.single.contains(object.0 as usize) && !disturbed).then_some(lock)
    }

    fn number(&mut self, lock: HeldLock) -> usize {
        *self.numbers.entry(lock).or_insert_with(|| {
            self.locks.push(lock);
            self.locks.len() - 1
        })
    }

    /// Whatever the label may have set free is no longer certainly held.
    fn release(&self, label: &Label, targets: &[Target], held: &mut BitSet) {
        let unlocks = matches!(label, Label::Unlock { .. });
        for number in held.iter().collect::<Vec<_>>() {
            let lock = &self.locks[number];
            let hit = targets.iter().any(|&target| overlaps(lock, target, 8));
            if hit || (unlocks && targets.is_empty()) {
                held.remove(number);
            }
        }
    }

    /// A recursive procedure may give back what its caller has taken.
    fn call(&self, callee: &Callee, held: &mut BitSet) {
        let reached = match callee {
            Callee::Direct(proc) => self.calls.reaches(*proc),
            Callee::Pointer(_) => self.xcfa.proc_ids().collect(),
        };
        let gives_back = |proc: ProcId| {
            let edges = self
                .xcfa
                .edges
                .iter()
                .filter(|e| self.xcfa[e.source].proc == proc);
            edges
                .flat_map(|edge| &edge.labels)
                .any(|label| matches!(label, Label::Unlock { .. } | Label::Store { .. }))
        };
        if reached.into_iter().any(gives_back) {
            *held = BitSet::new();
        }
    }
}

/// Can `size` bytes at `at` touch the words of the lock?
fn overlaps(lock: &HeldLock, at: Target, size: u64) -> bool {
    let words = if lock.mode == LockMode::Exclusive {
        4
    } else {
        8
    };
    at.object == lock.object
        && match at.offset {
            Offset::Any => true,
            Offset::At(start) => {
                start < lock.offset.saturating_add(words)
                    && lock.offset < start.saturating_add_unsigned(size)
            }
        }
}

/// Static objects, and stack objects that are made at most once in every run.
fn single_objects(xcfa: &Xcfa) -> BitSet {
    let threads = Threads::of(xcfa);
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
                && !CallGraph::of(xcfa).is_recursive(proc)
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

fn stores_between_threads(xcfa: &Xcfa, points_to: &PointsTo) -> Vec<(Target, u64)> {
    let alone = locations_before_threads(xcfa);
    let mut stores = Vec::new();
    for edge in xcfa
        .edges
        .iter()
        .filter(|edge| !alone[edge.source.0 as usize])
    {
        let stored = edge
            .labels
            .iter()
            .filter(|label| matches!(label, Label::Store { .. }));
        for touch in stored.flat_map(|label| touches(xcfa, points_to, label)) {
            if let Place::Memory(target, size) = touch.place {
                stores.push((target, size));
            }
        }
    }
    stores.sort_unstable();
    stores.dedup();
    stores
}

#[cfg(test)]
mod tests {
    use super::Locksets;
    use crate::{PointsTo, testing::parse};
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let xcfa = parse(text);
        let locksets = Locksets::of(&xcfa, &PointsTo::of(&xcfa));
        let mut out = String::new();
        for loc in xcfa.loc_ids() {
            let held = locksets.held(loc);
            let held: Vec<_> = held
                .iter()
                .map(|lock| format!("{}+{}", xcfa[lock.object].name, lock.offset))
                .collect();
            if !held.is_empty() {
                out += &format!("L{}: {}\n", loc.0, held.join(" "));
            }
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn only_what_is_held_on_every_way_counts() {
        check(
            "static m[8]
             static n[16]
             proc main()
               in -> 1: lock &m
               1 -> 2: lock (&n + 8)
               2 -> 3: unlock (&n + 8)
               2 -> 3: skip
               3 -> 4: unlock &m
               4 -> out: skip",
            expect![[r#"
                L2: m+0
                L3: m+0 n+8
                L4: m+0
            "#]],
        );
    }

    #[test]
    fn a_lock_that_may_be_one_of_several_is_not_claimed_but_may_be_given_back() {
        check(
            "static m[8]
             static n[8]
             static raw[8]
             heap h
             proc main()
               in -> 1: p := &m
               in -> 1: p := &n
               1 -> 2: lock p
               2 -> 3: lock &n
               3 -> 4: lock &raw
               4 -> 5: ph := alloc h
               5 -> 6: lock ph
               6 -> 7: unlock p
               7 -> out: *&raw := 0",
            expect![[r#"
                L4: n+0
                L5: n+0 raw+0
                L6: n+0 raw+0
                L7: n+0 raw+0
                L8: raw+0
            "#]],
        );
    }
}
