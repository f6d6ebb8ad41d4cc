//! What each edge reads and writes that other threads can see, as bit sets.
//!
//! Law: if two edges of different threads do not conflict, then in every state that enables both
//! they can be swapped, and neither enables or disables the other. This is what partial order
//! reduction relies on. Cells that only one thread touches are left out.
//!
//! A call of a recursive procedure touches nothing itself: the edges of its body do.

use crate::pointsto::{Offset, PointsTo};
use crate::touch::{Storage, Touch, touches};
use crate::{BitSet, JoinTargets, Sharing, Threads};
use expr::{ObjId, VarId};
use rustc_hash::FxHashMap;
use xcfa::{Edge, EdgeId, ErrorKind, Label, ProcId, Xcfa};

/// Something that two threads can meet at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SharedCell {
    /// A global variable.
    Var(VarId),
    /// The bytes of an object from `.1` up to, not including, `.2`.
    Bytes(ObjId, i64, i64),
    /// The bytes of an object that are only reached at unknown offsets.
    Rest(ObjId),
    /// The life of the threads that run a procedure.
    Thread(ProcId),
    /// The order in which threads are started, which their handles show.
    Starts,
    /// Which threads wait for a signal and which have received one.
    Signals,
}

/// The visible accesses of one edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeAccess {
    /// Cells that it may read.
    pub reads: BitSet,
    /// Cells that it may write.
    pub writes: BitSet,
    /// Cells that it uses as locks or condition variables; also in `writes`.
    pub syncs: BitSet,
    /// It conflicts with every edge: it begins or ends an atomic section, or ends the process.
    pub everything: bool,
}

impl EdgeAccess {
    /// Does it touch nothing that another thread can see?
    pub fn is_local(&self) -> bool {
        !self.everything && self.reads.is_empty() && self.writes.is_empty()
    }

    /// May the order of the two matter?
    pub fn conflicts(&self, other: &EdgeAccess) -> bool {
        self.everything
            || other.everything
            || self.writes.intersects(&other.writes)
            || self.writes.intersects(&other.reads)
            || self.reads.intersects(&other.writes)
    }
}

/// The accesses of all edges, over numbered cells.
#[derive(Clone, Debug)]
pub struct Accesses {
    cells: Vec<SharedCell>,
    edges: Vec<EdgeAccess>,
}

impl Accesses {
    /// Analyses every edge. `checked` is the kind of error that the property is about; reaching
    /// another kind ends the process.
    pub fn of(
        xcfa: &Xcfa,
        points_to: &PointsTo,
        sharing: &Sharing,
        checked: Option<ErrorKind>,
    ) -> Accesses {
        let found: Vec<Vec<Touch>> = xcfa
            .edges
            .iter()
            .map(|edge| shared_touches(xcfa, points_to, sharing, edge))
            .collect();
        let threads = Threads::of(xcfa);
        let mut numbering = Numbering::of(&found, &threads);
        let joins = JoinTargets::of(xcfa, points_to);
        let edges = xcfa.edge_ids().zip(&found);
        let edges = edges.map(|(id, touches)| {
            let mut access = numbering.edge(xcfa, checked, &xcfa[id], touches);
            for label in &xcfa[id].labels {
                let joined = joins.of_edge(id);
                numbering.label(xcfa, &threads, &xcfa[id], joined, label, &mut access);
            }
            access
        });
        let edges = edges.collect();
        Accesses {
            cells: numbering.cells,
            edges,
        }
    }

    /// The cells, by number.
    pub fn cells(&self) -> &[SharedCell] {
        &self.cells
    }

    /// The accesses of one edge.
    pub fn edge(&self, edge: EdgeId) -> &EdgeAccess {
        &self.edges[edge.0 as usize]
    }
}

fn shared_touches(xcfa: &Xcfa, points_to: &PointsTo, sharing: &Sharing, edge: &Edge) -> Vec<Touch> {
    let all = edge
        .labels
        .iter()
        .flat_map(|label| touches(xcfa, points_to, label));
    all.filter(|touch| sharing.is_shared(touch.place)).collect()
}

/// Gives cells their numbers.
struct Numbering {
    cells: Vec<SharedCell>,
    numbers: FxHashMap<SharedCell, usize>,
    /// By object: its cells of known offset, sorted, and whether it has a rest.
    objects: FxHashMap<ObjId, Vec<(i64, i64)>>,
}

impl Numbering {
    fn of(found: &[Vec<Touch>], threads: &Threads) -> Numbering {
        let mut numbering = Numbering {
            cells: Vec::new(),
            numbers: FxHashMap::default(),
            objects: intervals(found),
        };
        let places = found.iter().flatten().map(|touch| touch.place);
        for place in places {
            numbering.cells_of(place);
        }
        numbering.number(SharedCell::Starts);
        numbering.number(SharedCell::Signals);
        for &root in threads.roots() {
            numbering.number(SharedCell::Thread(root));
        }
        numbering
    }

    fn number(&mut self, cell: SharedCell) -> usize {
        *self.numbers.entry(cell).or_insert_with(|| {
            self.cells.push(cell);
            self.cells.len() - 1
        })
    }

    fn cells_of(&mut self, place: Storage) -> Vec<usize> {
        let target = match place {
            Storage::Var(var) => return vec![self.number(SharedCell::Var(var))],
            Storage::Memory(target, _) => target,
        };
        let known = self
            .objects
            .get(&target.object)
            .cloned()
            .unwrap_or_default();
        match target.offset {
            Offset::At(at) => {
                let around = known
                    .iter()
                    .filter(|(start, end)| *start <= at && at < *end);
                let cells: Vec<_> = around
                    .map(|&(start, end)| SharedCell::Bytes(target.object, start, end))
                    .collect();
                cells.into_iter().map(|cell| self.number(cell)).collect()
            }
            Offset::Any => {
                let mut numbers = vec![self.number(SharedCell::Rest(target.object))];
                for (start, end) in known {
                    numbers.push(self.number(SharedCell::Bytes(target.object, start, end)));
                }
                numbers
            }
        }
    }

    fn edge(
        &mut self,
        xcfa: &Xcfa,
        checked: Option<ErrorKind>,
        edge: &Edge,
        touches: &[Touch],
    ) -> EdgeAccess {
        let mut access = EdgeAccess::default();
        for touch in touches {
            for cell in self.cells_of(touch.place) {
                let set = if touch.write {
                    &mut access.writes
                } else {
                    &mut access.reads
                };
                set.insert(cell);
                if touch.sync {
                    access.syncs.insert(cell);
                }
            }
        }
        access.everything = xcfa[edge.target]
            .error
            .is_some_and(|error| Some(error) != checked);
        access
    }

    /// What a label does to threads and waiting.
    fn label(
        &mut self,
        xcfa: &Xcfa,
        threads: &Threads,
        edge: &Edge,
        joined: Option<ProcId>,
        label: &Label,
        access: &mut EdgeAccess,
    ) {
        let mut write = |cell| access.writes.insert(self.number(cell));
        match label {
            Label::Start { proc, .. } => {
                write(SharedCell::Starts);
                write(SharedCell::Thread(*proc));
            }
            Label::Join { .. } => match joined {
                Some(root) => _ = write(SharedCell::Thread(root)),
                None => threads.roots().iter().for_each(|&root| {
                    write(SharedCell::Thread(root));
                }),
            },
            Label::ThreadExit(_) => threads.running(xcfa[edge.source].proc).for_each(|root| {
                write(SharedCell::Thread(root));
            }),
            Label::AtomicBegin | Label::AtomicEnd | Label::Exit(_) => access.everything = true,
            _ if label.is_signalling() => {
                write(SharedCell::Signals);
            }
            _ => {}
        }
    }
}

/// The bytes that accesses at known offsets name, overlapping ones joined.
fn intervals(found: &[Vec<Touch>]) -> FxHashMap<ObjId, Vec<(i64, i64)>> {
    let mut objects: FxHashMap<ObjId, Vec<(i64, i64)>> = FxHashMap::default();
    for touch in found.iter().flatten() {
        if let Storage::Memory(target, size) = touch.place
            && let Offset::At(at) = target.offset
        {
            let end = at.saturating_add_unsigned(size);
            objects.entry(target.object).or_default().push((at, end));
        }
    }
    for list in objects.values_mut() {
        list.sort_unstable();
        let mut joined: Vec<(i64, i64)> = Vec::new();
        for &(start, end) in list.iter() {
            match joined.last_mut() {
                Some(last) if start < last.1 => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        *list = joined;
    }
    objects
}

#[cfg(test)]
mod tests {
    use super::{Accesses, SharedCell};
    use crate::{PointsTo, Sharing};
    use automata::parse;
    use expect_test::{Expect, expect};
    use xcfa::Xcfa;

    fn name(xcfa: &Xcfa, cell: SharedCell) -> String {
        match cell {
            SharedCell::Var(var) => xcfa[var].name.clone(),
            SharedCell::Bytes(object, start, end) => {
                format!("{}[{start}..{end}]", xcfa[object].name)
            }
            SharedCell::Rest(object) => format!("{}[..]", xcfa[object].name),
            SharedCell::Thread(proc) => format!("thread {}", xcfa[proc].name),
            SharedCell::Starts => "starts".into(),
            SharedCell::Signals => "signals".into(),
        }
    }

    fn check(text: &str, expected: Expect) {
        let xcfa = parse(text);
        let points_to = PointsTo::of(&xcfa);
        let sharing = Sharing::of(&xcfa, &points_to);
        let accesses = Accesses::of(&xcfa, &points_to, &sharing, None);
        let mut out = String::new();
        for edge in xcfa.edge_ids() {
            let access = accesses.edge(edge);
            let list = |set: &crate::BitSet| {
                let names: Vec<_> = set
                    .iter()
                    .map(|cell| name(&xcfa, accesses.cells()[cell]))
                    .collect();
                names.join(", ")
            };
            out += &format!(
                "{} | reads {} | writes {}{}\n",
                xcfa.show_edge(&xcfa[edge]),
                list(&access.reads),
                list(&access.writes),
                if access.everything {
                    " | everything"
                } else {
                    ""
                }
            );
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn edges_name_the_cells_that_they_share() {
        check(
            "static a[16]
             static m[8]
             global x
             global own
             proc worker(pa)
               in -> 1: lock &m
               1 -> 2: *(&a + 4) := x
               2 -> 3: i := input; p := &a + zext64(i)
               3 -> 4: t := *p
               4 -> 5: atomic_begin
               5 -> out: thread_exit 0
             proc main()
               in -> 1: h := start worker()
               1 -> 2: own := 1
               2 -> 3: t := *&a
               3 -> 4: x := t
               4 -> 5: lock &m
               5 -> 6: unlock &m
               6 -> out: join zext64(h)",
            expect![[r#"
                L0 -> L4: lock &m | reads  | writes m[0..8]
                L4 -> L5: *(&a + 4) :=4 x | reads x | writes a[4..8]
                L5 -> L6: i := input input(); p := (&a + zext64(i)) | reads  | writes 
                L6 -> L7: t := *p | reads a[4..8], a[..], a[0..4] | writes 
                L7 -> L8: atomic_begin | reads  | writes  | everything
                L8 -> L1: thread_exit 0 | reads  | writes thread worker
                L2 -> L9: h := start worker(0) | reads  | writes starts, thread worker
                L9 -> L10: own := 1 | reads  | writes 
                L10 -> L11: t := *&a | reads a[0..4] | writes 
                L11 -> L12: x := t | reads  | writes x
                L12 -> L13: lock &m | reads  | writes m[0..8]
                L13 -> L14: unlock &m | reads  | writes m[0..8]
                L14 -> L3: join zext64(h) | reads  | writes thread worker, thread main
            "#]],
        );
    }
}
