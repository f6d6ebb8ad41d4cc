//! Every pair of conflicting steps, and what keeps it apart.

use crate::apart::{Access, Apart, size};
use crate::atomic::atomic_edges;
use crate::beyond;
use crate::countdown::{Countdown, countdowns};
use crate::families::{Families, Role, Way};
use crate::guards::Guards;
use crate::handles::Handles;
use crate::held;
use crate::program::Program;
use crate::prover::Prover;
use crate::reason::{Reason, Tally};
use crate::tickets::Tickets;
use crate::tokens::Tokens;
use crate::values::Values;
use passes::pointsto::Offset;
use passes::{Accesses, BitSet, Locksets, Place, SharedCell, Touch, touches};
use verdict::{Budget, Proof, Stats, Verdict};
use xcfa::{EdgeId, Label, ObjectKind, ProcId, Xcfa};

/// Looks at every pair of steps that could race.
pub fn all_kept_apart(xcfa: &Xcfa, budget: &Budget, stats: &mut Stats) -> Verdict {
    let program = Program::of(xcfa);
    let mut pairs = Pairs::of(&program);
    let mut tally = Tally::default();
    let verdict = pairs.check(budget, &mut tally);
    tally.report(stats);
    if let Some(apart) = &pairs.apart {
        stats.set("solver checks", apart.prover.asked);
    }
    verdict
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
struct Pairs<'p, 'a> {
    program: &'p Program<'a>,
    /// The steps that access data.
    touched: Vec<Touched>,
    locksets: Locksets,
    /// By location: is it only reached before the first thread starts?
    alone: Vec<bool>,
    /// By edge: are all its accesses certainly atomic?
    atomic: Vec<bool>,
    /// What is known about values; none if the program is too large.
    apart: Option<Apart<'p, 'a>>,
    tokens: Option<Tokens>,
    countdowns: Vec<Countdown>,
    guards: Option<Guards>,
}

impl<'p, 'a> Pairs<'p, 'a> {
    fn of(program: &'p Program<'a>) -> Pairs<'p, 'a> {
        let xcfa = program.xcfa;
        let accesses = Accesses::of(xcfa, &program.points_to, &program.sharing, None);
        let touched = xcfa.edge_ids().map(|step| touched(&accesses, step));
        let locksets = Locksets::of(xcfa, &program.points_to);
        let atomic = atomic_edges(xcfa);
        let mut apart = Values::of(xcfa).map(|mut values| {
            let mut prover = Prover::default();
            let handles = Handles::of(program, &mut values);
            Apart {
                families: Families::of(program, &handles, &mut values, &mut prover),
                tickets: Tickets::of_program(program, &values, &locksets, &atomic),
                program,
                handles,
                values,
                prover,
            }
        });
        let tokens = apart
            .as_mut()
            .map(|it| Tokens::of(program, &mut it.values, &mut it.prover, &atomic));
        let countdowns = apart.as_mut().map(|it| {
            let (values, prover) = (&mut it.values, &mut it.prover);
            countdowns(program, values, prover, &locksets, &atomic)
        });
        let guards = apart.as_mut().map(|it| guards(program, it));
        Pairs {
            program,
            guards,
            tokens,
            countdowns: countdowns.unwrap_or_default(),
            touched: touched.filter(|touched| !touched.all.is_empty()).collect(),
            locksets,
            alone: passes::locations_before_threads(xcfa),
            atomic,
            apart,
        }
    }

    fn check(&mut self, budget: &Budget, tally: &mut Tally) -> Verdict {
        for first in 0..self.touched.len() {
            if let Some(reason) = budget.exceeded(0) {
                return Verdict::Unknown(reason);
            }
            for second in first..self.touched.len() {
                if !self.could_race(first, second) {
                    continue;
                }
                let (a, b) = (self.touched[first].step, self.touched[second].step);
                match self.reason(a, b) {
                    Some(reason) => tally.add(reason),
                    None => {
                        let (a, b) = (self.place(a), self.place(b));
                        return beyond(format!("nothing is known to keep {a} and {b} apart"));
                    }
                }
            }
        }
        Verdict::Safe(Proof::KeptApart {
            pairs: tally.total(),
        })
    }

    fn place(&self, edge: EdgeId) -> String {
        let xcfa = self.program.xcfa;
        let place = xcfa.sources.place(xcfa[edge].span);
        format!("{}:{}", place.file, place.line)
    }

    fn could_race(&self, first: usize, second: usize) -> bool {
        let (a, b) = (&self.touched[first], &self.touched[second]);
        let both_atomic = self.atomic[a.step.0 as usize] && self.atomic[b.step.0 as usize];
        !both_atomic && conflict(a, b) && self.in_parallel(a.step, b.step)
    }

    /// Can different threads take the two?
    fn in_parallel(&self, a: EdgeId, b: EdgeId) -> bool {
        let roots = |edge: EdgeId| -> Vec<ProcId> {
            let proc = self.program.xcfa[self.program.xcfa[edge].source].proc;
            self.program.threads.running(proc).collect()
        };
        let (of_a, of_b) = (roots(a), roots(b));
        let mut pairs = of_a.iter().flat_map(|x| of_b.iter().map(move |y| (x, y)));
        pairs.any(|(x, y)| x != y || !self.program.threads.starts_at_most_once(*x))
    }

    fn reason(&mut self, a: EdgeId, b: EdgeId) -> Option<Reason> {
        let before_threads = |edge: EdgeId| self.alone[self.program.xcfa[edge].source.0 as usize];
        if before_threads(a) || before_threads(b) {
            return Some(Reason::BeforeThreads);
        }
        let held = held::during(self.program, &self.locksets, a);
        let other = held::during(self.program, &self.locksets, b);
        if held::exclude_each_other(&held, &other) {
            return Some(Reason::Lock);
        }
        let tokens = self.tokens.as_ref();
        if tokens.is_some_and(|it| it.exclude_each_other(self.program, a, b)) {
            return Some(Reason::Semaphore);
        }
        let apart = self.apart.as_mut()?;
        let ways = apart.families.ways(self.program, a, b);
        let mut found = Reason::StartOrJoin;
        for way in ways {
            found = self.reason_for(way, a, b)?.max(found);
        }
        Some(found)
    }

    /// What keeps the two apart if threads in these roles take them.
    fn reason_for(&mut self, way: Way, a: EdgeId, b: EdgeId) -> Option<Reason> {
        if self.is_counted_down(way, a, b) {
            return Some(Reason::Countdown);
        }
        let conflicts = conflicts(self.program, a, b);
        let apart = self.apart.as_mut()?;
        let mut found = Reason::StartOrJoin;
        for (a, b) in conflicts {
            let (a, b) = (a?, b?);
            let reason = apart.reason(way, a, b).or_else(|| {
                let (values, prover) = (&mut apart.values, &mut apart.prover);
                let guards = self.guards.as_ref()?;
                let guarded = guards.exclude_each_other(self.program, values, prover, a, b);
                guarded.then_some(Reason::Lock)
            });
            found = reason?.max(found);
        }
        Some(found)
    }

    /// Has the thread that takes one of the steps finished before its creator came to the other?
    fn is_counted_down(&self, way: Way, a: EdgeId, b: EdgeId) -> bool {
        let (at, start, step) = match (way.first, way.second) {
            (Role::Creator, Role::Started(start)) => (a, start, b),
            (Role::Started(start), Role::Creator) => (b, start, a),
            _ => return false,
        };
        let at = self.program.xcfa[at].source;
        self.countdowns
            .iter()
            .any(|it| it.excludes(self.program, at, start, step))
    }
}

/// The locks that are found through pointers, apart from those that something else than locking may
/// change while they are held.
fn guards(program: &Program<'_>, apart: &mut Apart<'_, '_>) -> Guards {
    let xcfa = program.xcfa;
    let mut locks = Vec::new();
    for edge in xcfa.edge_ids() {
        for (label, it) in xcfa[edge].labels.iter().enumerate() {
            if matches!(it, Label::Lock { .. }) && is_undisturbed(program, apart, edge, label) {
                locks.push((edge, label));
            }
        }
    }
    let is_lock = |edge, label| locks.contains(&(edge, label));
    Guards::of(program, &mut apart.values, is_lock)
}

/// Does nobody else write the words of the lock, whatever the thread that holds it does?
fn is_undisturbed(
    program: &Program<'_>,
    apart: &mut Apart<'_, '_>,
    edge: EdgeId,
    label: usize,
) -> bool {
    let xcfa = program.xcfa;
    let alone = passes::locations_before_threads(xcfa);
    let lock = Access {
        edge,
        label,
        size: size(program, edge, label),
    };
    let own: Vec<Place> = touches(xcfa, &program.points_to, &xcfa[edge].labels[label])
        .into_iter()
        .map(|touch| touch.place)
        .collect();
    // Memory of a frame may come back as other memory at the same address.
    let lasts = own.iter().all(|place| match place {
        Place::Memory(target, _) => matches!(
            xcfa[target.object].kind,
            ObjectKind::Static { .. } | ObjectKind::Heap
        ),
        Place::Var(_) => false,
    });
    let is_free = |it: &Label| matches!(it, Label::Free(_) | Label::Dealloc(_));
    lasts
        && xcfa.edge_ids().all(|other| {
            let starts = |it: &Label| matches!(it, Label::Start { .. } | Label::Call { .. });
            if alone[xcfa[other].source.0 as usize] && !xcfa[other].labels.iter().any(starts) {
                return true;
            }
            let labels = xcfa[other].labels.iter().enumerate();
            labels.filter(|(_, it)| !is_free(it)).all(|(index, it)| {
                let touches = touches(xcfa, &program.points_to, it);
                let mut plain = touches.iter().filter(|touch| touch.write && !touch.sync);
                let hits = plain.any(|touch| own.iter().any(|&place| meet(place, touch.place)));
                let store = Access {
                    edge: other,
                    label: index,
                    size: size(program, other, index),
                };
                !hits || is_elsewhere(program, apart, store, lock)
            })
        })
}

/// Does a store of another thread never hit the lock of this one, wherever that thread is?
fn is_elsewhere(
    program: &Program<'_>,
    apart: &mut Apart<'_, '_>,
    store: Access,
    lock: Access,
) -> bool {
    let ways = apart.families.ways(program, store.edge, lock.edge);
    ways.into_iter().all(|way| {
        // What is known of a creator depends on where it is.
        way.second != Role::Creator && apart.reason(way, store, lock).is_some()
    })
}

/// The accesses of two steps that may conflict; none where one is not to memory.
fn conflicts(program: &Program<'_>, a: EdgeId, b: EdgeId) -> Vec<(Option<Access>, Option<Access>)> {
    let mut found = Vec::new();
    for (first, x) in shared_touches(program, a) {
        for (second, y) in shared_touches(program, b) {
            let conflicting = (x.write || y.write) && !(x.sync && y.sync);
            if conflicting && meet(x.place, y.place) {
                found.push((access(program, a, first, x), access(program, b, second, y)));
            }
        }
    }
    found
}

fn access(program: &Program<'_>, edge: EdgeId, label: usize, touch: Touch) -> Option<Access> {
    matches!(touch.place, Place::Memory(..)).then(|| Access {
        edge,
        label,
        size: size(program, edge, label),
    })
}

fn shared_touches(program: &Program<'_>, edge: EdgeId) -> Vec<(usize, Touch)> {
    let labels = program.xcfa[edge].labels.iter().enumerate();
    let all = labels.flat_map(|(index, label)| {
        let touches = touches(program.xcfa, &program.points_to, label);
        touches.into_iter().map(move |touch| (index, touch))
    });
    all.filter(|(_, touch)| program.sharing.is_shared(touch.place))
        .collect()
}

fn meet(a: Place, b: Place) -> bool {
    match (a, b) {
        (Place::Var(a), Place::Var(b)) => a == b,
        (Place::Memory(a, a_size), Place::Memory(b, b_size)) => {
            let bytes = match (a.offset, b.offset) {
                (Offset::At(x), Offset::At(y)) => {
                    x < y.saturating_add_unsigned(b_size) && y < x.saturating_add_unsigned(a_size)
                }
                _ => true,
            };
            a.object == b.object && bytes
        }
        _ => false,
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
