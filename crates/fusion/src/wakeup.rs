//! Wake-up trees: the sequences that still have to be run from one point of an execution.
//!
//! Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction (POPL 2014),
//! doi:10.1145/2535838.2535845. A tree is a list of branches in the order in which they are run.
//! A leaf stands for everything that begins with the steps on the way to it, because no thread
//! sleeps there. That is not so if the leaf was added on a suspicion only (there were steps whose
//! accesses were not certain); then the rest of a longer sequence is added behind the leaf.

use crate::cells::Cells;
use crate::clocks::{Clock, Clocks, knows};
use crate::event::{Event, Marks, Shape};
use smallvec::SmallVec;
use std::sync::Arc;

/// A step, and what is run after it.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The step.
    pub shape: Arc<Shape>,
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
    pub before: &'a mut Vec<u32>,
    /// This many of them, from the front, have been dealt with.
    pub begun: usize,
    /// At least their accesses.
    pub marks: Marks,
    /// At least their threads, as a set of bits.
    pub threads: u64,
    /// The execution.
    pub events: &'a [Event],
    /// The later event of the race, unless it has been dealt with.
    pub last: Option<&'a Arc<Shape>>,
    /// What happens before the later event.
    pub last_clock: &'a Clock,
    /// Those of the execution.
    pub clocks: &'a Clocks,
    /// Is it for a point where branches are begun before others are finished? There it is not
    /// covered by what is independent of it: a later event may wake that, and the race of the two
    /// may be noted too late. Whatever can be first in it covers it, as with source sets.
    pub hasty: bool,
}

/// How a step that could be first relates to a sequence.
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

impl<'a> Sequence<'a> {
    /// The events before the last one, in order.
    fn all_before(&self) -> impl DoubleEndedIterator<Item = &'a Event> + ExactSizeIterator + '_ {
        let events = self.events;
        let left = self.before[self.begun..].iter();
        left.map(move |&at| &events[at as usize])
    }

    /// Has the sequence been dealt with where this step sleeps: can it be run with this step first,
    /// or the step be put before it without harm?
    pub fn is_covered_by(&self, cells: &Cells, step: &Shape) -> bool {
        match self.first(cells, step, step.stable) {
            First::No => false,
            First::Apart => !self.hasty,
            First::Index(_) | First::Last => true,
        }
    }

    fn first(&self, cells: &Cells, step: &Shape, stable: bool) -> First {
        if self.threads & thread_bit(step.tid) != 0
            && let Some(at) = self.all_before().position(|event| event.tid == step.tid)
        {
            let event = &self.events[self.before[self.begun + at] as usize];
            let covers = step.covers(event.tid, &event.shape.answers);
            let initial = covers
                && !self
                    .all_before()
                    .take(at)
                    .any(|other| self.clocks.is_after(event, other));
            return if initial { First::Index(at) } else { First::No };
        }
        let free = || stable && !self.meets(cells, step);
        match self.last {
            Some(last) if last.tid == step.tid => {
                let covers = step.covers(last.tid, &last.answers);
                match covers && (self.is_at_last() || free()) {
                    true => First::Last,
                    false => First::No,
                }
            }
            Some(last) if !last.stable || last.conflicts(cells, step) => First::No,
            _ if free() => First::Apart,
            _ => First::No,
        }
    }

    /// Does one of the events before the last one conflict with a step?
    fn meets(&self, cells: &Cells, step: &Shape) -> bool {
        let mut all = self.all_before();
        self.marks.may_conflict(step.marks) && all.any(|event| event.shape.conflicts(cells, step))
    }

    /// The threads that can be first, as far as is certain; never empty.
    pub fn initials(&self) -> SmallVec<[u32; 4]> {
        let mut found: SmallVec<[u32; 4]> = SmallVec::new();
        for (at, event) in self.all_before().enumerate() {
            let tid = event.tid;
            let mut earlier = self.all_before().take(at);
            let first = |other: &Event| other.tid != tid && !self.clocks.is_after(event, other);
            if earlier.all(first) {
                found.push(tid);
            }
        }
        if let Some(last) = self.last {
            let fresh = self.all_before().all(|event| event.tid != last.tid);
            let known = |event: &&Event| knows(self.last_clock, event);
            let free = last.stable && !self.all_before().any(|event| known(&event));
            if fresh && (free || self.is_at_last()) {
                found.push(last.tid);
            }
        }
        found
    }

    /// Adds the sequence to a tree unless it is covered; was it added? Uses lists from `spare`.
    pub fn insert(
        mut self,
        cells: &Cells,
        mut tree: &mut Vec<Branch>,
        spare: &mut Vec<Vec<Branch>>,
    ) -> bool {
        let mut weak = self.last.is_some_and(|last| !last.stable);
        loop {
            weak |= tree.iter().any(|branch| !branch.is_stable());
            let Some((at, first)) = self.matching(cells, tree) else {
                tree.extend(self.branch(weak, spare));
                return true;
            };
            if self.hasty {
                return false;
            }
            match first {
                First::Index(0) => self.begun += 1,
                First::Index(index) => {
                    self.before.remove(self.begun + index);
                }
                First::Last => self.last = None,
                _ => {}
            }
            let branch = &mut tree[at];
            let covered = branch.children.is_empty() && !branch.weak;
            if covered || (self.is_at_last() && self.last.is_none()) {
                return false;
            }
            tree = &mut branch.children;
        }
    }

    /// The first branch of a tree that the sequence can go along with.
    fn matching(&self, cells: &Cells, tree: &[Branch]) -> Option<(usize, First)> {
        // Mostly it is the very step that comes next.
        if let (Some(branch), Some(event)) = (tree.first(), self.all_before().next())
            && Arc::ptr_eq(&branch.shape, &event.shape)
        {
            return Some((0, First::Index(0)));
        }
        let mut all = tree.iter().enumerate();
        all.find_map(
            |(at, branch)| match self.first(cells, &branch.shape, branch.is_stable()) {
                First::No => None,
                First::Apart if self.hasty => None,
                first => Some((at, first)),
            },
        )
    }

    /// Is nothing left but the last event?
    fn is_at_last(&self) -> bool {
        self.before.len() == self.begun
    }

    fn branch(self, weak: bool, spare: &mut Vec<Vec<Branch>>) -> Option<Branch> {
        let last = self.last.map(|last| Branch {
            shape: last.clone(),
            tentative: true,
            weak,
            children: Vec::new(),
        });
        self.all_before().rev().fold(last, |then, event| {
            let mut children = spare.pop().unwrap_or_else(|| Vec::with_capacity(1));
            children.extend(then);
            Some(Branch {
                shape: event.shape.clone(),
                tentative: false,
                weak,
                children,
            })
        })
    }
}

/// The bit that stands for a thread in a set.
pub fn thread_bit(tid: u32) -> u64 {
    1 << (tid % 64)
}

impl Branch {
    /// Would the step access the same cells, in the same way, whatever others did before it? Where
    /// one is run that is no suspicion, everything that it depends on has happened as it did before.
    fn is_stable(&self) -> bool {
        !self.tentative || self.shape.stable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{LockOp, tests::event, tests::shape};

    /// Adds a sequence of steps `(thread, accesses)` to a tree, as if it had been run in this order;
    /// was it new?
    fn insert(cells: &mut Cells, tree: &mut Vec<Branch>, steps: &[(u32, &str)]) -> bool {
        let mut clocks = Clocks::default();
        clocks.widen(4);
        let mut events: Vec<Event> = Vec::new();
        let mut clock = Vec::new();
        for (at, &(tid, accesses)) in steps.iter().enumerate() {
            let step = event(at as u32, 1, shape(cells, tid, accesses), LockOp::None);
            clocks.begin(None, &mut clock);
            for other in events
                .iter()
                .filter(|it| it.shape.conflicts(cells, &step.shape))
            {
                clocks.merge(&mut clock, other.index as usize);
            }
            clock[tid as usize] = 1;
            clocks.push(&clock);
            events.push(step);
        }
        let last = events.pop().expect("a step");
        let mut marks = Marks::default();
        events.iter().for_each(|event| marks.add(event.shape.marks));
        let sequence = Sequence {
            before: &mut (0..events.len() as u32).collect(),
            begun: 0,
            marks,
            threads: events
                .iter()
                .fold(0, |all, event| all | thread_bit(event.tid)),
            events: &events,
            last: Some(&last.shape),
            last_clock: clocks.row(events.len()),
            clocks: &clocks,
            hasty: false,
        };
        sequence.insert(cells, tree, &mut Vec::new())
    }

    /// The threads on each way to a leaf.
    fn ways(tree: &[Branch]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        for branch in tree {
            let mut below = ways(&branch.children);
            if below.is_empty() {
                below.push(Vec::new());
            }
            for mut way in below {
                way.insert(0, branch.shape.tid);
                found.push(way);
            }
        }
        found
    }

    #[test]
    fn a_tree_holds_one_sequence_of_each_class() {
        let (mut cells, mut tree) = (Cells::default(), Vec::new());
        let (one, two) = ((1, "w0"), (2, "w0"));
        // They write the same: both orders are needed, each once.
        assert!(insert(&mut cells, &mut tree, &[one, two]));
        assert!(!insert(&mut cells, &mut tree, &[one, two]));
        assert!(insert(&mut cells, &mut tree, &[two, one]));
        assert_eq!(ways(&tree), [[1, 2], [2, 1]]);
        // The third is independent of both, wherever it comes.
        assert!(!insert(&mut cells, &mut tree, &[one, (3, "w1"), two]));
        assert!(!insert(&mut cells, &mut tree, &[(3, "w1"), two, one]));
    }

    #[test]
    fn independent_steps_need_one_order() {
        let (mut cells, mut tree) = (Cells::default(), Vec::new());
        assert!(insert(&mut cells, &mut tree, &[(1, "w0"), (2, "w1")]));
        assert!(!insert(&mut cells, &mut tree, &[(2, "w1"), (1, "w0")]));
        assert_eq!(ways(&tree), [[1, 2]]);
    }
}
