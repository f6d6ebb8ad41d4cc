//! Wake-up trees: the sequences that still have to be run from one point of an execution.
//!
//! Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction (POPL 2014),
//! doi:10.1145/2535838.2535845. A tree is a list of branches in the order in which they are run.
//! A leaf stands for everything that begins with the steps on the way to it, because no thread
//! sleeps there. That is not so if the leaf was added on a suspicion only (there were steps whose
//! accesses were not certain); then the rest of a longer sequence is added behind the leaf.

use crate::cells::Cells;
use crate::clocks::{Clock, Clocks, knows};
use crate::event::{Event, Shape};
use smallvec::SmallVec;
use std::rc::Rc;

/// A step, and what is run after it.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The step.
    pub shape: Rc<Shape>,
    /// It has not been run from there, and may ask for other things than it did later.
    pub tentative: bool,
    /// It was added on a suspicion: threads may still sleep behind it that a longer sequence would
    /// have woken.
    weak: bool,
    /// What comes after it; nothing in particular if empty.
    pub children: Vec<Branch>,
}

/// A sequence of events that reverses a race: some events of the execution in their order, then
/// the later event of the race, whose accesses may be others now that it comes earlier.
pub struct Sequence<'a> {
    /// Events of the execution, none of which happens after the earlier event of the race.
    pub before: SmallVec<[&'a Event; 64]>,
    /// The later event of the race, unless it has been dealt with.
    pub last: Option<&'a Rc<Shape>>,
    /// What happens before the later event.
    pub last_clock: &'a Clock,
    /// Those of the execution.
    pub clocks: &'a Clocks,
}

/// How a step that could be first stands to a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    /// It is not a first step of it.
    No,
    /// It is independent of the whole sequence.
    Apart,
    /// It is the event of this index.
    Index(usize),
    /// It is the last event.
    Last,
}

impl Sequence<'_> {
    /// Can the sequence be run with this step first, or this step put before it without harm?
    pub fn may_start_with(&self, cells: &Cells, step: &Shape) -> bool {
        self.first(cells, step) != First::No
    }

    fn first(&self, cells: &Cells, step: &Shape) -> First {
        let mut before = self.before.iter();
        if let Some(at) = before.position(|event| event.tid == step.tid) {
            let event = self.before[at];
            let covers = step.covers(event.tid, &event.shape.answers);
            let initial = covers
                && !self.before[..at]
                    .iter()
                    .any(|other| self.clocks.is_after(event, other));
            return if initial { First::Index(at) } else { First::No };
        }
        let conflicts = |event: &&Event| event.shape.conflicts(cells, step);
        let free = step.stable && !self.before.iter().any(conflicts);
        match self.last {
            Some(last) if last.tid == step.tid => {
                let first = free || self.before.is_empty();
                match first && step.covers(last.tid, &last.answers) {
                    true => First::Last,
                    false => First::No,
                }
            }
            Some(last) if !last.stable || last.conflicts(cells, step) => First::No,
            _ if free => First::Apart,
            _ => First::No,
        }
    }

    /// The threads that can be first, as far as is certain; never empty.
    pub fn initials(&self) -> SmallVec<[u32; 4]> {
        let mut found: SmallVec<[u32; 4]> = SmallVec::new();
        for (at, event) in self.before.iter().enumerate() {
            let tid = event.tid;
            let earlier = &self.before[..at];
            let first = earlier.iter().all(|other| other.tid != tid);
            if first
                && !earlier
                    .iter()
                    .any(|other| self.clocks.is_after(event, other))
            {
                found.push(tid);
            }
        }
        if let Some(last) = self.last {
            let fresh = self.before.iter().all(|event| event.tid != last.tid);
            let known = |event: &&Event| knows(self.last_clock, event);
            let free = last.stable && !self.before.iter().any(known);
            if fresh && (free || self.before.is_empty()) {
                found.push(last.tid);
            }
        }
        found
    }

    /// Adds the sequence to a tree, unless the tree covers it; was it added?
    pub fn insert(mut self, cells: &Cells, mut tree: &mut Vec<Branch>) -> bool {
        let mut weak = self.last.is_some_and(|last| !last.stable);
        loop {
            weak |= tree.iter().any(|branch| !branch.shape.stable);
            let found = tree.iter().enumerate().find_map(|(at, branch)| {
                match self.first(cells, &branch.shape) {
                    First::No => None,
                    first => Some((at, first)),
                }
            });
            let Some((at, first)) = found else {
                tree.extend(self.branch(weak));
                return true;
            };
            match first {
                First::Index(index) => {
                    self.before.remove(index);
                }
                First::Last => self.last = None,
                _ => {}
            }
            let branch = &mut tree[at];
            let covered = branch.children.is_empty() && !branch.weak;
            if covered || (self.before.is_empty() && self.last.is_none()) {
                return false;
            }
            tree = &mut branch.children;
        }
    }

    fn branch(self, weak: bool) -> Option<Branch> {
        let last = self.last.map(|last| Branch {
            shape: last.clone(),
            tentative: true,
            weak,
            children: Vec::new(),
        });
        self.before.iter().rev().fold(last, |then, event| {
            let mut shape = event.shape.clone();
            if !shape.stable {
                // Where it is run, everything that it depends on has happened as it did before.
                Rc::make_mut(&mut shape).stable = true;
            }
            Some(Branch {
                shape,
                tentative: false,
                weak,
                children: then.into_iter().collect(),
            })
        })
    }
}
