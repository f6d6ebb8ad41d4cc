//! Locks that are always taken in one order, so that no threads wait for each other in a circle.
//!
//! Follows which mutexes a thread may hold along the paths of each procedure, sees which are taken while
//! others may be held, and puts all of them in an order that agrees with that. Whether this
//! proves anything is not decided here: the evidence is checked before the answer is given
//! ([`evidence::order`], which has the argument).

use dataflow::Analysed;
use dataflow::pointsto::Offset;
use expr::{ObjId, Term};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Proof, Reason, Stats, Task, Verdict};
use xcfa::{Label, LocId};

/// A mutex of the program text: its object, and where in it.
type Mutex = (ObjId, i64);

/// Tries to prove that no threads wait for each other for ever.
pub fn all_in_order(task: &Task, stats: &mut Stats) -> Verdict {
    let follower = Follower { xcfa: &task.xcfa };
    let held = follower.follow();
    let Some(order) = follower.order(&held) else {
        let what = "locks may be taken in a circle";
        return Verdict::Unknown(Reason::Inconclusive(what.into()));
    };
    stats.set("locks", order.len() as u64);
    let certificate = certificate(&order, &held);
    match evidence::order(task, &certificate) {
        Ok(()) => Verdict::Safe(Proof::Invariants {
            index: 1,
            clauses: task.xcfa.edges.len() as u64,
            certificate,
        }),
        Err(why) => Verdict::Unknown(Reason::Inconclusive(why)),
    }
}

fn certificate(order: &[Mutex], held: &[BTreeSet<Mutex>]) -> Value {
    let number = |mutex: &Mutex| order.iter().position(|it| it == mutex);
    let locks: Vec<_> = order.iter().map(|(object, at)| (object.0, at)).collect();
    let held = held.iter().enumerate().filter(|(_, held)| !held.is_empty());
    let held = held.map(|(at, held)| {
        let numbers: BTreeSet<_> = held.iter().filter_map(number).collect();
        (at, numbers)
    });
    json!({"locks": locks, "held": held.collect::<Vec<_>>()})
}

struct Follower<'a> {
    xcfa: &'a Analysed,
}

impl Follower<'_> {
    /// By location: what a thread may hold there.
    fn follow(&self) -> Vec<BTreeSet<Mutex>> {
        let mut held = vec![BTreeSet::new(); self.xcfa.locs.len()];
        let mut work: Vec<LocId> = self.xcfa.loc_ids().collect();
        while let Some(loc) = work.pop() {
            for &edge in &self.xcfa[loc].out {
                let mut now: BTreeSet<Mutex> = held[loc.0 as usize].clone();
                for label in &self.xcfa[edge].labels {
                    match label {
                        Label::Lock { addr, .. } => now.extend(self.named(*addr)),
                        Label::Unlock { addr, .. } => {
                            if let [one] = self.named(*addr)[..] {
                                now.remove(&one);
                            }
                        }
                        Label::Exit(_) => now.clear(),
                        _ => {}
                    }
                }
                let target = self.xcfa[edge].target;
                let known = &mut held[target.0 as usize];
                if !now.is_subset(known) {
                    known.extend(now);
                    work.push(target);
                }
            }
        }
        held
    }

    /// The mutexes that an address may be of, as far as they have names.
    fn named(&self, addr: Term) -> Vec<Mutex> {
        let targets = self.xcfa.points_to().targets(self.xcfa, addr);
        let named = targets
            .into_iter()
            .filter_map(|target| match target.offset {
                Offset::At(at) => Some((target.object, at)),
                Offset::Any => None,
            });
        named.collect()
    }

    /// All mutexes, each behind those under which it is taken; none if that is a circle.
    fn order(&self, held: &[BTreeSet<Mutex>]) -> Option<Vec<Mutex>> {
        let mut under: BTreeMap<Mutex, BTreeSet<Mutex>> = BTreeMap::new();
        for edge in &self.xcfa.edges {
            let mut now = held[edge.source.0 as usize].clone();
            for label in &edge.labels {
                if let Label::Lock { addr, .. } = label {
                    let taken = self.named(*addr);
                    for &mutex in &taken {
                        under.entry(mutex).or_default().extend(&now);
                    }
                    now.extend(taken);
                }
            }
        }
        let mut order: Vec<Mutex> = Vec::new();
        while order.len() < under.len() {
            let ready = |(mutex, first): (&Mutex, &BTreeSet<Mutex>)| {
                let free = first.iter().all(|it| order.contains(it));
                (free && !order.contains(mutex)).then_some(*mutex)
            };
            order.push(under.iter().find_map(ready)?);
        }
        Some(order)
    }
}
