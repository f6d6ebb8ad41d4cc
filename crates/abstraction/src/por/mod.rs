//! Which actions have to be explored: partial order reduction with and without the precision.
//!
//! Persistent sets (Godefroid, LNCS 1032, doi:10.1007/3-540-60761-7), as sets of threads: start
//! with one thread, add every thread that may ever do something that meets what a thread of the
//! set does next, and take all actions of the set. *Next* means every edge out of the location,
//! also those that are not possible now, so that any thread that could enable them is in the set.
//!
//! With the precision the same is done for another program: the one in which every variable
//! outside the precision is set to anything before each step. The abstraction cannot distinguish
//! the two, so nothing is lost, and accesses to such variables do not meet (docs/engines/cegar.md).
//!
//! Source sets (Abdulla et al., POPL 2014, doi:10.1145/2535838.2535845) need less: every run must be
//! able to begin with a thread of the set. What a thread outside does matters only as far as it
//! gets before one of the set moves, so a thread that waits for the set is left alone.
//!
//! Three conditions make it sound. A set is only taken if one of its threads can certainly move
//! ([`Situation::certain`]); a set with an action that closes a loop is made full; and a set that
//! was chosen under an earlier precision is checked again when one of the variables it ignored
//! ([`Choice::validity`]) enters the precision.

mod footprint;

pub use footprint::{Access, Footprints};

use crate::{ActionId, Control, Precision, Program};
use dataflow::BitSet;
use serde::{Deserialize, Serialize};
use xcfa::LocId;

/// How much to reduce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// All actions.
    None,
    /// Persistent sets of the program as it is.
    Basic,
    /// Persistent sets under the precision.
    #[default]
    Aware,
    /// Source sets under the precision.
    Source,
}

impl Base {
    /// Does it look at the precision?
    pub fn uses_precision(self) -> bool {
        matches!(self, Base::Aware | Base::Source)
    }
}

/// When two actions of different threads meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dependence {
    /// Both access a common object; with a precision, objects of one element of it.
    Paper,
    /// One writes what the other one reads or writes; with a precision, if it occurs there.
    #[default]
    Ours,
}

/// What there is to choose from.
pub struct Situation<'a> {
    /// Where the threads are.
    pub control: &'a Control,
    /// What is examined.
    pub precision: &'a Precision,
    /// The actions that may be possible.
    pub enabled: &'a [ActionId],
    /// By thread: is one of its actions certainly possible?
    pub certain: &'a [bool],
    /// By thread: if none of its actions is possible, the variables whose values keep it waiting.
    pub waits: &'a [Option<BitSet>],
    /// Actions that have been explored already and stay in the set.
    pub explored: &'a [ActionId],
}

/// What is to be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The actions.
    pub actions: Vec<ActionId>,
    /// While none of these variables enters the precision, the choice remains right.
    pub validity: BitSet,
    /// Are these all actions there are?
    pub full: bool,
}

/// Chooses the actions to explore.
pub struct Reduction {
    base: Base,
    dependence: Dependence,
    footprints: Footprints,
}

impl Reduction {
    /// For a program.
    pub fn new(program: &Program, base: Base, dependence: Dependence) -> Reduction {
        Reduction {
            base,
            dependence,
            footprints: Footprints::of(program),
        }
    }

    /// A smallest of the sets that start with one thread, or with what has been explored.
    pub fn choose(&self, program: &Program, situation: &Situation<'_>) -> Choice {
        let full = Choice {
            actions: situation.enabled.to_vec(),
            validity: BitSet::new(),
            full: true,
        };
        if self.base == Base::None || situation.control.holder().is_some() {
            return full;
        }
        let mut seeds: Vec<Vec<usize>> = Vec::new();
        match situation.explored {
            [] => seeds.extend(situation.control.threads().map(|(thread, _)| vec![thread])),
            explored => {
                seeds.push(
                    explored
                        .iter()
                        .map(|&action| program[action].thread)
                        .collect(),
                );
            }
        }
        let mut best = full;
        for seed in seeds {
            // Of equally small sets, one that remains valid for longer.
            let cost = |choice: &Choice| (choice.actions.len(), choice.validity.len());
            if let Some(choice) = self.grow(program, situation, &seed)
                && choice.actions.len() < situation.enabled.len()
                && (best.full || cost(&choice) < cost(&best))
            {
                best = choice;
            }
        }
        best
    }

    /// The smallest set that contains the seed and that no thread outside depends on.
    fn grow(&self, program: &Program, situation: &Situation<'_>, seed: &[usize]) -> Option<Choice> {
        let threads: Vec<(usize, LocId)> = situation.control.threads().collect();
        let mut inside: Vec<bool> = threads.iter().map(|(t, _)| seed.contains(t)).collect();
        loop {
            let mut grown = false;
            let waiting = self.waiting(situation, &threads, &inside);
            for outsider in 0..threads.len() {
                if inside[outsider] || waiting[outsider] {
                    continue;
                }
                let met = (0..threads.len()).any(|member| {
                    let (number, loc) = threads[member];
                    let next = self.footprints.next(loc);
                    let loc = threads[outsider].1;
                    // While no thread of the set moves, none ends.
                    let future = self.footprints.future_before_end(loc, number);
                    inside[member] && self.meet(situation.precision, next, future)
                });
                if met {
                    inside[outsider] = true;
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        let is_inside = |thread: usize| {
            let at = threads.iter().position(|&(t, _)| t == thread);
            at.is_some_and(|at| inside[at])
        };
        let actions: Vec<ActionId> = situation
            .enabled
            .iter()
            .copied()
            .filter(|&action| is_inside(program[action].thread))
            .collect();
        let certain = threads
            .iter()
            .any(|&(thread, _)| is_inside(thread) && situation.certain[thread]);
        if !certain || actions.iter().any(|&action| program[action].backward) {
            return None;
        }
        Some(Choice {
            actions,
            validity: self.validity(situation, &threads, &inside),
            full: false,
        })
    }

    /// By position: does the thread wait until one of the set moves? No enabled thread outside the
    /// set may be able to change what keeps it waiting.
    fn waiting(
        &self,
        situation: &Situation<'_>,
        threads: &[(usize, LocId)],
        inside: &[bool],
    ) -> Vec<bool> {
        let because = |at: usize| situation.waits[threads[at].0].as_ref();
        let all = 0..threads.len();
        let mut waiting: Vec<bool> = match self.base {
            Base::Source => all.map(|at| !inside[at] && because(at).is_some()).collect(),
            _ => vec![false; threads.len()],
        };
        loop {
            let disturbed = (0..threads.len()).find(|&at| {
                let mut others = (0..threads.len()).filter(|&other| !inside[other]);
                waiting[at]
                    && others.any(|other| {
                        let future = self.footprints.future(threads[other].1);
                        let because = because(at).expect("a waiting thread has a reason");
                        !waiting[other] && future.writes.intersects(because)
                    })
            });
            match disturbed {
                Some(at) => waiting[at] = false,
                None => return waiting,
            }
        }
    }

    fn meet(&self, precision: &Precision, next: &Access, future: &Access) -> bool {
        match (self.base, self.dependence) {
            (Base::None, _) => true,
            (Base::Basic, Dependence::Paper) => next.touches.intersects(&future.touches),
            (Base::Basic, Dependence::Ours) => {
                next.writes.intersects(&future.touches) || next.reads.intersects(&future.writes)
            }
            (Base::Aware | Base::Source, Dependence::Paper) => {
                let elements = precision.vars().iter();
                let mut elements = elements.map(|var| var.0 as usize);
                let mut predicates = precision.predicates().iter();
                elements.any(|var| next.touches.contains(var) && future.touches.contains(var))
                    || predicates.any(|predicate| {
                        predicate.vars.intersects(&next.touches)
                            && predicate.vars.intersects(&future.touches)
                    })
            }
            (Base::Aware | Base::Source, Dependence::Ours) => {
                let tracked = precision.occurring();
                next.writes.intersects_within(&future.touches, tracked)
                    || next.reads.intersects_within(&future.writes, tracked)
            }
        }
    }

    /// The variables that the choice did not look at although threads on both sides use them.
    fn validity(
        &self,
        situation: &Situation<'_>,
        threads: &[(usize, LocId)],
        inside: &[bool],
    ) -> BitSet {
        let mut validity = BitSet::new();
        if !self.base.uses_precision() {
            return validity;
        }
        let waiting = self.waiting(situation, threads, inside);
        for (member, &(number, loc)) in threads.iter().enumerate() {
            if !inside[member] {
                continue;
            }
            let next = self.footprints.next(loc);
            for (outsider, &(_, loc)) in threads.iter().enumerate() {
                if !inside[outsider] && !waiting[outsider] {
                    let future = self.footprints.future_before_end(loc, number);
                    self.add_common(next, future, &mut validity);
                }
            }
            if self.dependence == Dependence::Paper && !situation.precision.predicates().is_empty()
            {
                validity.union_with(&next.touches);
            }
        }
        let tracked = situation.precision.occurring();
        validity
            .iter()
            .filter(|&var| !tracked.contains(var))
            .collect()
    }

    fn add_common(&self, next: &Access, future: &Access, validity: &mut BitSet) {
        let pairs = match self.dependence {
            Dependence::Paper => vec![(&next.touches, &future.touches)],
            Dependence::Ours => vec![
                (&next.writes, &future.touches),
                (&next.reads, &future.writes),
            ],
        };
        for (mine, theirs) in pairs {
            let mut common = mine.clone();
            common.intersect_with(theirs);
            validity.union_with(&common);
        }
    }

    /// What threads do, by location.
    pub fn footprints(&self) -> &Footprints {
        &self.footprints
    }
}
