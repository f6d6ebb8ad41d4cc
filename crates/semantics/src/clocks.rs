//! Data races along one execution, by happens-before.
//!
//! Every thread has a vector clock; starting and joining a thread, atomic accesses to the same
//! memory (locks, semaphores and barriers are such), and atomic sections pass clocks on. Two
//! conflicting accesses that the clocks do not order race, however far apart they are in the run.
//!
//! Ordering is over-approximated where that is simpler (atomic accesses to one word of eight bytes
//! synchronise even if they touch different bytes): a race that is reported is one.

use crate::{Access, Cell, Machine, State, Tid};
use expr::VarId;
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, Label};

type Clock = Vec<u32>;

/// A unit of memory that accesses are filed under.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Var(VarId),
    Word(u64),
    /// The lock that atomic sections share.
    Section,
}

/// An access and when it was.
#[derive(Clone, Copy)]
struct Past {
    access: Access,
    time: u32,
}

/// Watches one execution.
#[derive(Clone, Default)]
pub struct Clocks {
    threads: Vec<Clock>,
    released: FxHashMap<Unit, Clock>,
    past: FxHashMap<Unit, Vec<Past>>,
}

impl Clocks {
    /// Takes note of a step that was taken from `before` with these accesses; returns a pair of
    /// racing accesses, the second of which belongs to this step.
    pub fn step(
        &mut self,
        machine: &Machine<'_>,
        before: &State,
        (tid, edge): (Tid, EdgeId),
        accesses: &[Access],
    ) -> Option<[Access; 2]> {
        self.clock(tid);
        let labels = &machine.xcfa[edge].labels;
        for label in labels {
            match label {
                Label::AtomicBegin => self.acquire(tid, Unit::Section),
                Label::Join { thread, .. } => {
                    let handle = machine.eval(before, tid, *thread);
                    if let Some(child) = Tid::from_handle(handle) {
                        let theirs = self.clock(child).clone();
                        merge(self.clock(tid), &theirs);
                    }
                }
                _ => {}
            }
        }
        for access in accesses.iter().filter(|access| access.atomic) {
            units(access.cell).for_each(|unit| self.acquire(tid, unit));
        }
        let race = accesses
            .iter()
            .find_map(|access| self.race(access).map(|past| [past, *access]));
        for &access in accesses {
            self.remember(access);
        }
        self.release_after(tid, labels, accesses, before.threads.len() as u32);
        race
    }

    /// What others may learn from this step, and the beginning of the thread's next one.
    fn release_after(&mut self, tid: Tid, labels: &[Label], accesses: &[Access], threads: u32) {
        for access in accesses
            .iter()
            .filter(|access| access.atomic && access.write)
        {
            units(access.cell).for_each(|unit| self.release(tid, unit));
        }
        for label in labels {
            match label {
                Label::AtomicEnd => self.release(tid, Unit::Section),
                Label::Start { .. } => {
                    let mine = self.clock(tid).clone();
                    merge(self.clock(Tid(threads)), &mine);
                }
                _ => {}
            }
        }
        self.clock(tid)[tid.0 as usize] += 1;
    }

    fn clock(&mut self, tid: Tid) -> &mut Clock {
        let index = tid.0 as usize;
        while self.threads.len() <= index {
            let mut clock = vec![0; self.threads.len() + 1];
            clock[self.threads.len()] = 1;
            self.threads.push(clock);
        }
        &mut self.threads[index]
    }

    fn acquire(&mut self, tid: Tid, unit: Unit) {
        if let Some(released) = self.released.get(&unit).cloned() {
            merge(self.clock(tid), &released);
        }
    }

    fn release(&mut self, tid: Tid, unit: Unit) {
        let mine = self.clock(tid).clone();
        merge(self.released.entry(unit).or_default(), &mine);
    }

    fn race(&self, access: &Access) -> Option<Access> {
        let mine = &self.threads[access.tid.0 as usize];
        let known = |tid: Tid| mine.get(tid.0 as usize).copied().unwrap_or(0);
        units(access.cell).find_map(|unit| {
            let past = self.past.get(&unit)?.iter();
            let mut unordered = past.filter(|past| past.time > known(past.access.tid));
            unordered
                .find(|past| past.access.conflicts(access))
                .map(|past| past.access)
        })
    }

    /// Only the last access of each kind matters: earlier ones are ordered before it.
    fn remember(&mut self, access: Access) {
        let time = self.threads[access.tid.0 as usize][access.tid.0 as usize];
        for unit in units(access.cell) {
            let past = self.past.entry(unit).or_default();
            let alike = |old: &Past| {
                Access {
                    edge: access.edge,
                    ..old.access
                } == access
            };
            past.retain(|old| !alike(old));
            past.push(Past { access, time });
        }
    }
}

fn merge(into: &mut Clock, from: &Clock) {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    for (mine, theirs) in into.iter_mut().zip(from) {
        *mine = (*mine).max(*theirs);
    }
}

fn units(cell: Cell) -> impl Iterator<Item = Unit> {
    let (var, words) = match cell {
        Cell::Var(var) => (Some(Unit::Var(var)), 0..0),
        Cell::Bytes { start, len } => (None, start / 8..start.saturating_add(len).div_ceil(8)),
    };
    var.into_iter().chain(words.map(Unit::Word))
}
