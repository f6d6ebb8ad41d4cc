//! Identical threads, counted.
//!
//! Of a template there can be any number of threads. Those at the same place with the same known
//! data are one [`Member`] of the crowd, with a count that is exact up to a threshold and *any
//! number* beyond it (counter abstraction). Thresholds are raised where it matters.
//!
//! No thread can observe that another one is missing: conditions read shared variables and a
//! thread's own ones. So whatever a crowd can do, a larger one can do as well, and *any number*
//! may include none.

use crate::{Data, Precision, Program, Truth};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::rc::Rc;
use xcfa::LocId;

/// Threads of one template that are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    /// The template, by number of the thread.
    pub thread: usize,
    /// Where they are.
    pub loc: LocId,
    /// What is known about the variables that belong to the template.
    pub data: Data,
}

/// How many threads there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Count {
    /// Exactly this many.
    Exactly(u32),
    /// Any number, maybe none.
    Any,
}

/// How far threads that are alike are counted, by where they are; not at all at first.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    known: FxHashMap<LocId, u32>,
}

impl Thresholds {
    /// More threads than this that are alike are any number.
    pub fn at(&self, loc: LocId) -> u32 {
        self.known.get(&loc).copied().unwrap_or(0)
    }

    /// Where more than none is counted, and how far, sorted.
    pub fn known(&self) -> Vec<(LocId, u32)> {
        let mut known: Vec<_> = self.known.iter().map(|(&loc, &most)| (loc, most)).collect();
        known.sort_unstable();
        known
    }

    /// Counts one more at a place from now on; gives the new threshold.
    pub fn raise(&mut self, loc: LocId) -> u32 {
        let threshold = self.known.entry(loc).or_default();
        *threshold += 1;
        *threshold
    }
}

/// All threads of templates, sorted. Crowds have most of their members from those before them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Crowd {
    members: Vec<(Rc<Member>, Count)>,
}

/// Members are mostly the same ones.
fn compare(a: &Rc<Member>, b: &Rc<Member>) -> Ordering {
    match Rc::ptr_eq(a, b) {
        true => Ordering::Equal,
        false => a.cmp(b),
    }
}

impl Crowd {
    /// The members with their counts.
    pub fn members(&self) -> &[(Rc<Member>, Count)] {
        &self.members
    }

    /// One more thread.
    pub fn add(&mut self, member: Rc<Member>, thresholds: &Thresholds) {
        self.add_some(member, Count::Exactly(1), thresholds);
    }

    fn add_some(&mut self, member: Rc<Member>, more: Count, thresholds: &Thresholds) {
        let most = thresholds.at(member.loc);
        let place = self
            .members
            .binary_search_by(|(known, _)| compare(known, &member));
        match place {
            Ok(at) => {
                let count = &mut self.members[at].1;
                *count = match (*count, more) {
                    (Count::Exactly(a), Count::Exactly(b)) if a + b <= most => {
                        Count::Exactly(a + b)
                    }
                    _ => Count::Any,
                };
            }
            Err(at) => {
                let count = match more {
                    Count::Exactly(n) if n > most => Count::Any,
                    count => count,
                };
                self.members.insert(at, (member, count));
            }
        }
    }

    /// Can `other` do at least the same?
    pub fn leq(&self, other: &Crowd) -> bool {
        let mut theirs = other.members.iter();
        self.members.len() <= other.members.len()
            && self.members.iter().all(|(member, count)| {
                let known = theirs.find(|(known, _)| compare(known, member) != Ordering::Less);
                known.is_some_and(|(known, most)| compare(known, member).is_eq() && count <= most)
            })
    }

    fn counted(&self) -> impl Iterator<Item = &(Rc<Member>, Count)> {
        let members = self.members.iter();
        members.filter(|(_, count)| *count != Count::Any)
    }

    /// Takes over whatever `other` has any number of, if the rest is the same.
    pub fn widen(&mut self, other: &Crowd) {
        if !self.counted().eq(other.counted()) {
            return;
        }
        let mut at = 0;
        for (member, count) in &other.members {
            let before = |(known, _): &(Rc<Member>, Count)| compare(known, member).is_lt();
            at += self.members[at..]
                .iter()
                .take_while(|known| before(known))
                .count();
            let known = self
                .members
                .get(at)
                .is_some_and(|(known, _)| compare(known, member).is_eq());
            if !known && *count == Count::Any {
                self.members.insert(at, (member.clone(), Count::Any));
            }
        }
    }

    /// The crowd after a step: without one thread of the member that moved, and with members
    /// turned into others, by number what they are now.
    pub fn left(
        &self,
        moved: Option<usize>,
        changed: &[(usize, Rc<Member>)],
        thresholds: &Thresholds,
    ) -> Crowd {
        let is_changed = |number: usize| changed.iter().any(|(changed, _)| *changed == number);
        let mut crowd = Crowd {
            members: Vec::with_capacity(self.members.len() + 1),
        };
        let mut others = Vec::new();
        for (number, (member, count)) in self.members.iter().enumerate() {
            let count = match (*count, moved == Some(number)) {
                (Count::Exactly(1), true) => continue,
                (Count::Exactly(n), true) => Count::Exactly(n - 1),
                (count, _) => count,
            };
            match is_changed(number) {
                true => others.push((number, count)),
                false => crowd.members.push((member.clone(), count)),
            }
        }
        for (number, count) in others {
            let now = changed.iter().find(|(changed, _)| *changed == number);
            if let Some((_, now)) = now {
                crowd.add_some(now.clone(), count, thresholds);
            }
        }
        crowd
    }
}

impl Member {
    /// Takes what belongs to a template out of the data of a state.
    pub fn taken(
        program: &Program,
        precision: &Precision,
        thread: usize,
        loc: LocId,
        data: &mut Data,
    ) -> Member {
        let dead = program.dead(loc);
        let mut own = Data::default();
        for (slot, value) in data.values.iter_mut().enumerate() {
            let var = precision.vars()[slot];
            let mine = program.template(var) == Some(thread);
            let value = if mine { value.take() } else { None };
            own.values
                .push(value.filter(|_| !dead.contains(var.0 as usize)));
        }
        for (number, truth) in data.truths.iter_mut().enumerate() {
            let predicate = &precision.predicates()[number];
            let mine = predicate
                .vars
                .iter()
                .any(|var| program.vars[var].owner == Some(thread));
            let taken = match mine {
                true => std::mem::replace(truth, Truth::Unknown),
                false => Truth::Unknown,
            };
            let useless = predicate.vars.intersects(dead);
            own.truths
                .push(if useless { Truth::Unknown } else { taken });
        }
        Member {
            thread,
            loc,
            data: own,
        }
    }

    /// The data of a state in which one of these threads is the one that moves.
    pub fn put_into(&self, data: &Data) -> Data {
        let mut both = data.clone();
        let slots = self.data.values.len().max(both.values.len());
        both.values.resize(slots, None);
        for (slot, value) in self.data.values.iter().enumerate() {
            both.values[slot] = both.values[slot].or(*value);
        }
        let truths = self.data.truths.len().max(both.truths.len());
        both.truths.resize(truths, Truth::Unknown);
        for (number, truth) in self.data.truths.iter().enumerate() {
            if *truth != Truth::Unknown {
                both.truths[number] = *truth;
            }
        }
        both
    }
}
