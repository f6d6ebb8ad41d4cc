//! Checks that locks are taken in one order, so that no thread waits in a circle.
//!
//! The evidence lists static mutexes in an order, and by location which of them a thread may hold there.
//! What has to be shown, edge by edge, without any fixpoint:
//!
//! 1. a thread starts with none of them, and what it may hold at the target of an edge is what it may hold at
//!    the source, and what the edge takes, without what it certainly unlocks;
//! 2. a mutex is taken only behind all that may be held then;
//! 3. a thread that ends, or that joins another, holds none; only `main` joins, and nothing else waits;
//! 4. the word of a mutex is zero at first, and written by its labels alone, or to be zero.
//!
//! By 1 and 4, a mutex whose word is not zero may be held, as the evidence says, by a thread that has not
//! ended (3). In a deadlock each thread that has not ended waits. If one waits for a mutex, a thread
//! that may hold it waits too: not for a join (3), so for a mutex further behind (2); and so on without end, but there are only so
//! many mutexes. If none does, all wait for joins, so `main` alone is left, and it would be waiting for
//! itself: such programs are left open before any engine runs.
//!
//! For `termination`, threads start each other in no circle, and each loop has a bound: so there are
//! finitely many steps, and an execution that cannot go on has ended, or is a deadlock.

use dataflow::pointsto::{Offset, Target};
use dataflow::{Analysed, Storage, touches};
use expr::{ObjId, Term};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use verdict::{Property, Task};
use xcfa::{Edge, Label, LocId, LockMode, ObjectKind, ProcId};

/// The word of a mutex that says who has it.
const WORD: u64 = 4;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Certificate {
    /// Objects and offsets of mutexes, in their order.
    locks: Vec<(u32, i64)>,
    /// By location, the numbers of mutexes that may be held there; none if it is not listed.
    held: Vec<(u32, BTreeSet<usize>)>,
}

/// Does the certificate show that the property holds? Why not, otherwise.
pub fn again(task: &Task, certificate: &Value) -> Result<(), String> {
    let certificate = Certificate::deserialize(certificate).map_err(|error| error.to_string())?;
    let xcfa = &task.xcfa;
    if xcfa.foreign.is_some() {
        return Err("an address from outside may be that of a mutex".into());
    }
    let locks = certificate.locks.iter();
    let locks = locks.map(|&(object, offset)| (ObjId(object), offset));
    let mut order = Order {
        xcfa,
        locks: locks.collect(),
        held: FxHashMap::default(),
    };
    for (loc, held) in certificate.held {
        let listed = order.held.insert(LocId(loc), held).is_some();
        if listed || loc as usize >= xcfa.locs.len() {
            return Err("a location is listed twice, or does not exist".into());
        }
    }
    order.words()?;
    order.ends()?;
    for edge in &xcfa.edges {
        order.edge(edge)?;
    }
    match task.property {
        Property::Deadlock => Ok(()),
        Property::Termination => order.is_finite(),
        other => Err(format!("an order of locks says nothing about {other}")),
    }
}

struct Order<'a> {
    xcfa: &'a Analysed,
    locks: Vec<(ObjId, i64)>,
    held: FxHashMap<LocId, BTreeSet<usize>>,
}

impl Order<'_> {
    fn at(&self, loc: LocId) -> BTreeSet<usize> {
        self.held.get(&loc).cloned().unwrap_or_default()
    }

    /// Every mutex is static, apart from the others, and free at first.
    fn words(&self) -> Result<(), String> {
        for (number, &(object, offset)) in self.locks.iter().enumerate() {
            let known = (object.0 as usize) < self.xcfa.objects.len();
            let init = match known.then(|| &self.xcfa[object].kind) {
                Some(ObjectKind::Static { init }) => init,
                _ => return Err("a mutex is not static".into()),
            };
            let begins = |at: i64, size: u64| overlap((at, size), (offset, WORD));
            let free = init.iter().all(|&(at, value)| {
                let size = self.xcfa.terms.bytes(value);
                !begins(at as i64, size) || self.xcfa.terms.as_const(value) == Some(0)
            });
            let others = &self.locks[..number];
            let apart = others.iter().all(|&(other, at)| {
                other != object || !overlap((at, 2 * WORD), (offset, 2 * WORD))
            });
            if !free || !apart {
                return Err("a mutex is not free at first, or overlaps another".into());
            }
        }
        Ok(())
    }

    /// Threads start and end with nothing.
    fn ends(&self) -> Result<(), String> {
        for &root in self.xcfa.threads().roots() {
            let proc = &self.xcfa[root];
            if ![proc.init, proc.exit]
                .into_iter()
                .all(|loc| self.at(loc).is_empty())
            {
                return Err("a thread may start or end with a mutex".into());
            }
        }
        Ok(())
    }

    /// The mutexes that an address may be of; an error if it may be anything else.
    fn named(&self, addr: Term) -> Result<Vec<usize>, String> {
        let targets = self.xcfa.points_to().targets(self.xcfa, addr);
        let number = |target: &Target| {
            let mut locks = self.locks.iter();
            locks.position(|&(object, at)| {
                (object, Offset::At(at)) == (target.object, target.offset)
            })
        };
        let found: Option<Vec<usize>> = targets.iter().map(number).collect();
        let found = found.filter(|found| !found.is_empty());
        found.ok_or_else(|| "a mutex is taken that is not listed".into())
    }

    fn edge(&self, edge: &Edge) -> Result<(), String> {
        let before = self.at(edge.source);
        let mut now = before.clone();
        let proc = self.xcfa[edge.source].proc;
        for label in &edge.labels {
            match label {
                Label::Lock {
                    addr,
                    mode: LockMode::Exclusive,
                } => {
                    let taken = self.named(*addr)?;
                    let first = taken.iter().min().copied().unwrap_or(0);
                    if before.union(&now).any(|&held| held >= first) {
                        return Err("mutexes are not taken in their order".into());
                    }
                    now.extend(taken);
                }
                Label::Unlock {
                    addr,
                    mode: LockMode::Exclusive,
                } => {
                    if let [one] = self.named(*addr)?[..] {
                        now.remove(&one);
                    }
                }
                Label::Join { .. }
                    if !(before.is_empty() && now.is_empty() && self.is_of_main(proc)) =>
                {
                    return Err("a join may wait under a mutex, or outside of `main`".into());
                }
                Label::ThreadExit(_) if !now.is_empty() => {
                    return Err("a thread may end with a mutex".into());
                }
                // The process ends.
                Label::Exit(_) => return Ok(()),
                Label::Lock { .. }
                | Label::Unlock { .. }
                | Label::Await(_)
                | Label::Wait { .. }
                | Label::AwaitSignal { .. }
                | Label::AtomicBegin
                | Label::AtomicEnd
                | Label::Call { .. } => return Err("something else may wait".into()),
                _ if self.spoils(label) => return Err("the word of a mutex is written".into()),
                _ => {}
            }
        }
        match now.is_subset(&self.at(edge.target)) {
            true => Ok(()),
            false => Err("a mutex may be held where it is not listed".into()),
        }
    }

    /// Is the procedure run by the first thread alone?
    fn is_of_main(&self, proc: ProcId) -> bool {
        let (main, threads) = (self.xcfa.main, self.xcfa.threads());
        threads.starts_at_most_once(main) && threads.running(proc).all(|root| root == main)
    }

    /// May the word of a mutex be something else than zero after this?
    fn spoils(&self, label: &Label) -> bool {
        let zero = matches!(label, Label::Store { value, .. }
            if self.xcfa.terms.as_const(*value) == Some(0));
        let touched = touches(self.xcfa, self.xcfa.points_to(), label);
        touched
            .iter()
            .filter(|touch| touch.write && !zero)
            .any(|touch| {
                let Storage::Memory(target, size) = touch.place else {
                    return false;
                };
                self.locks.iter().any(|&(object, word)| {
                    let meets = match target.offset {
                        Offset::Any => true,
                        Offset::At(at) => overlap((at, size), (word, WORD)),
                    };
                    object == target.object && meets
                })
            })
    }

    /// Has every loop a bound, and does no thread start, by others, one of its own kind?
    fn is_finite(&self) -> Result<(), String> {
        if !self.xcfa.loops().all_bounded() {
            return Err("a loop has no bound".into());
        }
        let mut above: Vec<(ProcId, ProcId)> = Vec::new();
        for edge in &self.xcfa.edges {
            let by = self.xcfa[edge.source].proc;
            above.extend(edge.labels.iter().filter_map(|label| match label {
                Label::Start { proc, .. } => Some((by, *proc)),
                _ => None,
            }));
        }
        // Take away, again and again, those that start none of the others.
        while !above.is_empty() {
            let starters: BTreeSet<ProcId> = above.iter().map(|&(by, _)| by).collect();
            let left = above.len();
            above.retain(|(_, started)| starters.contains(started));
            if above.len() == left {
                return Err("threads may start each other without end".into());
            }
        }
        Ok(())
    }
}

fn overlap((a, a_size): (i64, u64), (b, b_size): (i64, u64)) -> bool {
    a < b.saturating_add_unsigned(b_size) && b < a.saturating_add_unsigned(a_size)
}
