//! Proofs that no data race is possible, without looking at executions.
//!
//! A race needs two threads that can take their next steps side by side, with conflicting accesses
//! that are not both atomic (docs/decisions/005). So there is none if every pair of conflicting
//! steps is kept apart: by a lock that both threads hold, one of them not only for reading, or
//! because one of the steps comes before any thread is started. Locks are those of Eraser (Savage
//! et al., TOCS 1997, doi:10.1145/265924.265927), computed for all paths instead of one run.
//!
//! The page of the engine is docs/engines/lockset.md. It never finds a race, and it knows nothing
//! of joins, semaphores and values: what it cannot prove it leaves to others.

mod atomic;

use atomic::atomic_edges;
use passes::{
    Accesses, BitSet, HeldLock, Locksets, PointsTo, SharedCell, Sharing, Threads,
    locations_before_threads,
};
use verdict::{Answer, Proof, Property, Reason, Stats, Task, Verdict};
use xcfa::{EdgeId, Label, LockMode, ProcId, Xcfa};

/// Tries to prove that there is no data race.
pub fn check(task: &Task) -> Answer {
    let mut stats = Stats::default();
    if task.property != Property::Race {
        let what = format!("locks prove nothing about {}", task.property);
        let verdict = Verdict::Unknown(Reason::Beyond(what));
        return Answer { verdict, stats };
    }
    let steps = Steps::of(&task.xcfa);
    let pairs = steps.conflicting_pairs();
    stats.set("conflicting pairs", pairs.len() as u64);
    let open = pairs.iter().find(|&&(a, b)| !steps.kept_apart(a, b));
    let verdict = match open {
        None => Verdict::Safe(Proof::KeptApart {
            pairs: pairs.len() as u64,
        }),
        Some(&(a, b)) => Verdict::Unknown(Reason::Beyond(format!(
            "no lock keeps {} and {} apart",
            place(&task.xcfa, a),
            place(&task.xcfa, b)
        ))),
    };
    Answer { verdict, stats }
}

fn place(xcfa: &Xcfa, edge: EdgeId) -> String {
    let place = xcfa.sources.place(xcfa[edge].span);
    format!("{}:{}", place.file, place.line)
}

/// What is known about the steps of a program.
struct Steps<'a> {
    xcfa: &'a Xcfa,
    threads: Threads,
    accesses: Accesses,
    locksets: Locksets,
    /// By location: is it only reached before the first thread starts?
    alone: Vec<bool>,
    /// By edge: are all its accesses certainly atomic?
    atomic: Vec<bool>,
    /// Cells that are memory or variables.
    data: BitSet,
}

impl Steps<'_> {
    fn of(xcfa: &Xcfa) -> Steps<'_> {
        let points_to = PointsTo::of(xcfa);
        let sharing = Sharing::of(xcfa, &points_to);
        let accesses = Accesses::of(xcfa, &points_to, &sharing, None);
        let is_data = |cell: &SharedCell| {
            matches!(
                cell,
                SharedCell::Var(_) | SharedCell::Bytes(..) | SharedCell::Rest(_)
            )
        };
        let cells = accesses.cells().iter().enumerate();
        let data = cells.filter(|(_, cell)| is_data(cell));
        Steps {
            xcfa,
            threads: Threads::of(xcfa),
            data: data.map(|(number, _)| number).collect(),
            locksets: Locksets::of(xcfa, &points_to),
            alone: locations_before_threads(xcfa),
            atomic: atomic_edges(xcfa),
            accesses,
        }
    }

    /// The pairs of steps, by different threads, of which one writes what the other accesses.
    fn conflicting_pairs(&self) -> Vec<(EdgeId, EdgeId)> {
        let touches = |edge: &EdgeId| {
            let access = self.accesses.edge(*edge);
            access.reads.intersects(&self.data) || access.writes.intersects(&self.data)
        };
        let steps: Vec<EdgeId> = self.xcfa.edge_ids().filter(touches).collect();
        let mut pairs = Vec::new();
        for (number, &a) in steps.iter().enumerate() {
            for &b in &steps[number..] {
                let both_atomic = self.atomic[a.0 as usize] && self.atomic[b.0 as usize];
                if !both_atomic && self.in_parallel(a, b) && self.conflict(a, b) {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    /// Can different threads take the two?
    fn in_parallel(&self, a: EdgeId, b: EdgeId) -> bool {
        let roots = |edge: EdgeId| -> Vec<ProcId> {
            let proc = self.xcfa[self.xcfa[edge].source].proc;
            self.threads.running(proc).collect()
        };
        let (of_a, of_b) = (roots(a), roots(b));
        let mut pairs = of_a.iter().flat_map(|x| of_b.iter().map(move |y| (x, y)));
        pairs.any(|(x, y)| x != y || !self.threads.starts_at_most_once(*x))
    }

    /// Lock operations among themselves are no accesses to data.
    fn conflict(&self, a: EdgeId, b: EdgeId) -> bool {
        let (a, b) = (self.accesses.edge(a), self.accesses.edge(b));
        let mut cells = self.data.iter();
        cells.any(|cell| {
            let one_writes = a.writes.contains(cell) && accesses(b, cell)
                || b.writes.contains(cell) && accesses(a, cell);
            one_writes && !(a.syncs.contains(cell) && b.syncs.contains(cell))
        })
    }

    fn kept_apart(&self, a: EdgeId, b: EdgeId) -> bool {
        let before_threads = |edge: EdgeId| self.alone[self.xcfa[edge].source.0 as usize];
        if before_threads(a) || before_threads(b) {
            return true;
        }
        let (held, other) = (self.held(a), self.held(b));
        held.iter().any(|lock| {
            other.iter().any(|same| {
                let read_only = lock.mode == LockMode::Read && same.mode == LockMode::Read;
                (lock.object, lock.offset) == (same.object, same.offset) && !read_only
            })
        })
    }

    /// The locks that are held during the whole step.
    fn held(&self, edge: EdgeId) -> Vec<HeldLock> {
        let gives_back = |label: &Label| {
            matches!(
                label,
                Label::Unlock { .. } | Label::Wait { .. } | Label::Call { .. }
            )
        };
        match self.xcfa[edge].labels.iter().any(gives_back) {
            true => Vec::new(),
            false => self.locksets.held(self.xcfa[edge].source),
        }
    }
}

fn accesses(access: &passes::EdgeAccess, cell: usize) -> bool {
    access.reads.contains(cell) || access.writes.contains(cell)
}
