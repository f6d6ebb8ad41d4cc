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
use verdict::{Answer, Budget, Proof, Property, Reason, Stats, Task, Verdict};
use xcfa::{EdgeId, Label, LockMode, ProcId, Xcfa};

/// Tries to prove that there is no data race.
pub fn check(task: &Task, budget: &Budget) -> Answer {
    let mut stats = Stats::default();
    let verdict = match task.property {
        Property::Race => Steps::of(&task.xcfa).all_kept_apart(budget, &mut stats),
        other => beyond(format!("locks prove nothing about {other}")),
    };
    Answer { verdict, stats }
}

fn beyond(what: String) -> Verdict {
    Verdict::Unknown(Reason::Beyond(what))
}

fn place(xcfa: &Xcfa, edge: EdgeId) -> String {
    let place = xcfa.sources.place(xcfa[edge].span);
    format!("{}:{}", place.file, place.line)
}

/// The data that a step accesses.
struct Touched {
    step: EdgeId,
    writes: BitSet,
    all: BitSet,
    /// The same, apart from what is used as a lock.
    plain_writes: BitSet,
    plain: BitSet,
}

/// What is known about the steps of a program.
struct Steps<'a> {
    xcfa: &'a Xcfa,
    threads: Threads,
    /// The steps that access data.
    touched: Vec<Touched>,
    locksets: Locksets,
    /// By location: is it only reached before the first thread starts?
    alone: Vec<bool>,
    /// By edge: are all its accesses certainly atomic?
    atomic: Vec<bool>,
}

impl Steps<'_> {
    fn of(xcfa: &Xcfa) -> Steps<'_> {
        let points_to = PointsTo::of(xcfa);
        let sharing = Sharing::of(xcfa, &points_to);
        let accesses = Accesses::of(xcfa, &points_to, &sharing, None);
        let touched = xcfa.edge_ids().map(|step| touched(&accesses, step));
        Steps {
            xcfa,
            threads: Threads::of(xcfa),
            touched: touched.filter(|touched| !touched.all.is_empty()).collect(),
            locksets: Locksets::of(xcfa, &points_to),
            alone: locations_before_threads(xcfa),
            atomic: atomic_edges(xcfa),
        }
    }

    /// Looks at every pair of steps that could race.
    fn all_kept_apart(&self, budget: &Budget, stats: &mut Stats) -> Verdict {
        let mut pairs = 0;
        for (number, a) in self.touched.iter().enumerate() {
            if let Some(reason) = budget.exceeded(0) {
                return Verdict::Unknown(reason);
            }
            for b in &self.touched[number..] {
                if !self.could_race(a, b) {
                    continue;
                }
                pairs += 1;
                stats.set("conflicting pairs", pairs);
                if !self.kept_apart(a.step, b.step) {
                    let (a, b) = (place(self.xcfa, a.step), place(self.xcfa, b.step));
                    return beyond(format!("no lock keeps {a} and {b} apart"));
                }
            }
        }
        Verdict::Safe(Proof::KeptApart { pairs })
    }

    fn could_race(&self, a: &Touched, b: &Touched) -> bool {
        let both_atomic = self.atomic[a.step.0 as usize] && self.atomic[b.step.0 as usize];
        !both_atomic && conflict(a, b) && self.in_parallel(a.step, b.step)
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

/// Is there something that one of them writes, other than a lock that both use as one?
fn conflict(a: &Touched, b: &Touched) -> bool {
    a.plain_writes.intersects(&b.all)
        || a.writes.intersects(&b.plain)
        || b.plain_writes.intersects(&a.all)
        || b.writes.intersects(&a.plain)
}

fn touched(accesses: &Accesses, step: EdgeId) -> Touched {
    let access = accesses.edge(step);
    let is_data = |cell: &usize| {
        matches!(
            accesses.cells()[*cell],
            SharedCell::Var(_) | SharedCell::Bytes(..) | SharedCell::Rest(_)
        )
    };
    let is_plain = |cell: &usize| !access.syncs.contains(*cell);
    let writes: BitSet = access.writes.iter().filter(is_data).collect();
    let mut all: BitSet = access.reads.iter().filter(is_data).collect();
    all.union_with(&writes);
    Touched {
        step,
        plain_writes: writes.iter().filter(is_plain).collect(),
        plain: all.iter().filter(is_plain).collect(),
        writes,
        all,
    }
}
