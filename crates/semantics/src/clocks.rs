//! Data races along one execution, by happens-before.
//!
//! Every thread has a vector clock; starting and joining a thread, atomic accesses to the same
//! memory (locks, semaphores and barriers are such), and atomic sections pass clocks on. Two
//! conflicting accesses that the clocks do not order race, however far apart they are in the run.
//!
//! Ordering is over-approximated where that is simpler (atomic accesses to one word of eight bytes
//! synchronise even if they touch different bytes): a race that is reported is one.

use crate::clock::Clock;
use crate::{Access, Cell, Machine, Seen, Tid};
use expr::VarId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use xcfa::{EdgeId, Label};

/// A unit of memory that accesses are filed under.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Var(VarId),
    Word(u64),
    /// The lock that atomic sections share.
    Section,
}

/// A pair of accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The accesses; the second belongs to the step that was taken last.
    pub accesses: [Access; 2],
    /// The step of the first one: so many steps of its thread came before it.
    pub earlier_steps: u32,
}

/// Watches one execution.
#[derive(Clone, Default)]
pub struct Clocks {
    threads: Vec<Clock>,
    released: FxHashMap<Unit, Clock>,
    past: FxHashMap<Unit, Past>,
}

impl Clocks {
    /// Takes note of a step that was taken, with what a host has seen of it; returns accesses that race.
    pub fn step(
        &mut self,
        machine: &Machine<'_>,
        (tid, edge): (Tid, EdgeId),
        seen: &Seen<'_>,
    ) -> Option<Race> {
        self.clock(tid);
        let labels = &machine.xcfa[edge].labels;
        if labels.iter().any(|it| matches!(it, Label::AtomicBegin)) {
            self.acquire(tid, Unit::Section);
        }
        if let Some(child) = seen.joined {
            let theirs = self.clock(child).clone();
            self.clock(tid).merge(&theirs);
        }
        for access in seen.accesses.iter().filter(|access| access.atomic) {
            units(access.cell).for_each(|unit| self.acquire(tid, unit));
        }
        let mut accesses = seen.accesses.iter();
        let race = accesses.find_map(|access| self.race(access));
        for access in seen.accesses {
            self.remember(access);
        }
        self.release_after(tid, labels, seen);
        race
    }

    /// Is the step of a thread with so many steps before it ordered before the next step of `tid`?
    pub fn knows(&self, tid: Tid, other: Tid, earlier_steps: u32) -> bool {
        let clock = self.threads.get(tid.0 as usize);
        clock.is_some_and(|clock| clock.get(other) > earlier_steps)
    }

    /// What others may learn from this step, and the beginning of the thread's next one.
    fn release_after(&mut self, tid: Tid, labels: &[Label], seen: &Seen<'_>) {
        let releases = |access: &&Access| access.atomic && access.write;
        for access in seen.accesses.iter().filter(releases) {
            units(access.cell).for_each(|unit| self.release(tid, unit));
        }
        for label in labels {
            match label {
                Label::AtomicEnd => self.release(tid, Unit::Section),
                Label::Start { .. } => {
                    let mine = self.clock(tid).clone();
                    self.clock(Tid(seen.started)).merge(&mine);
                }
                _ => {}
            }
        }
        let clock = self.clock(tid);
        clock.set(tid, clock.get(tid) + 1);
    }

    fn clock(&mut self, tid: Tid) -> &mut Clock {
        let index = tid.0 as usize;
        while self.threads.len() <= index {
            let mut clock = Clock::default();
            clock.set(Tid(self.threads.len() as u32), 1);
            self.threads.push(clock);
        }
        &mut self.threads[index]
    }

    fn acquire(&mut self, tid: Tid, unit: Unit) {
        if let Some(released) = self.released.get(&unit) {
            self.threads[tid.0 as usize].merge(released);
        }
    }

    fn release(&mut self, tid: Tid, unit: Unit) {
        let mine = &self.threads[tid.0 as usize];
        self.released.entry(unit).or_default().merge(mine);
    }

    fn race(&self, access: &Access) -> Option<Race> {
        let mine = &self.threads[access.tid.0 as usize];
        units(access.cell).find_map(|unit| self.past.get(&unit)?.race(access, mine))
    }

    fn remember(&mut self, access: &Access) {
        let mine = &self.threads[access.tid.0 as usize];
        for unit in units(access.cell) {
            self.past.entry(unit).or_default().remember(access, mine);
        }
    }
}

/// The accesses of one kind to a unit of memory, the last one of each thread to each cell: its edge and time.
type Kind = BTreeMap<(Tid, Cell), (EdgeId, u32)>;

/// The accesses to a unit of memory that a later one may race with.
#[derive(Clone, Default)]
struct Past {
    /// Writes that are not atomic, then those that are.
    writes: [Kind; 2],
    /// Reads, in the same way.
    reads: [Kind; 2],
}

impl Past {
    /// An access in the past that the access conflicts with and that `mine`, the clock of its thread, does not know.
    fn race(&self, access: &Access, mine: &Clock) -> Option<Race> {
        let kinds = [
            (&self.writes[0], true, false),
            (&self.writes[1], true, true),
            (&self.reads[0], false, false),
            (&self.reads[1], false, true),
        ];
        let may_conflict = |&(_, write, atomic): &(&Kind, bool, bool)| {
            (write || access.write) && !(atomic && access.atomic)
        };
        for (kind, write, atomic) in kinds.into_iter().filter(may_conflict) {
            for (&(tid, cell), &(edge, time)) in kind {
                let past = Access {
                    tid,
                    edge,
                    cell,
                    write,
                    atomic,
                };
                if time > mine.get(tid) && past.conflicts(access) {
                    let accesses = [past, *access];
                    let earlier_steps = time - 1;
                    return Some(Race {
                        accesses,
                        earlier_steps,
                    });
                }
            }
        }
        None
    }

    /// Whatever races with an access that is ordered before a plain write of its cell also races with that write.
    fn remember(&mut self, access: &Access, mine: &Clock) {
        if access.write && !access.atomic {
            let is_open = |&(tid, cell): &(Tid, Cell), &mut (_, time): &mut (EdgeId, u32)| {
                time > mine.get(tid) || !covers(access.cell, cell)
            };
            for kind in self.writes.iter_mut().chain(&mut self.reads) {
                kind.retain(is_open);
            }
        }
        let kinds = match access.write {
            true => &mut self.writes,
            false => &mut self.reads,
        };
        let last = (access.edge, mine.get(access.tid));
        kinds[usize::from(access.atomic)].insert((access.tid, access.cell), last);
    }
}

/// Has one cell every byte of the other?
fn covers(one: Cell, other: Cell) -> bool {
    match (one, other) {
        (Cell::Bytes { start: a, len: m }, Cell::Bytes { start: b, len: n }) => {
            a <= b && b.saturating_add(n) <= a.saturating_add(m)
        }
        _ => one == other,
    }
}

fn units(cell: Cell) -> impl Iterator<Item = Unit> {
    let (var, words) = match cell {
        Cell::Var(var) => (Some(Unit::Var(var)), 0..0),
        Cell::Bytes { start, len } => (None, start / 8..start.saturating_add(len).div_ceil(8)),
    };
    var.into_iter().chain(words.map(Unit::Word))
}
