//! Noting that the two events of a race have to be run in the other order too.

use super::Search;
use crate::cells::Cells;
use crate::clocks::Clock;
use crate::config::Dpor;
use crate::event::{Answers, Marks, Shape};
use crate::node::Node;
use crate::runner::Ran;
use crate::wakeup::{Branch, Sequence, thread_bit};
use semantics::Tid;
use std::sync::Arc;

impl Search<'_, '_> {
    /// Notes for each race of a step that it has to be run before the earlier part too.
    pub(super) fn note_reversals(&mut self, last: &Arc<Shape>, clock: &Clock, races: &[usize]) {
        if self.dpor == Dpor::None {
            return;
        }
        for &first in races {
            self.note_reversal(first, last, clock);
        }
    }

    pub(super) fn note_reversal(&mut self, first: usize, last: &Arc<Shape>, clock: &Clock) {
        let earlier = &self.events[first];
        self.sequence.clear();
        let (mut marks, mut threads) = (Marks::default(), 0);
        for event in &self.events[first + 1..] {
            if !self.clocks.is_after(event, earlier) {
                self.sequence.push(event.index);
                marks.add(event.shape.marks);
                threads |= thread_bit(event.tid);
            }
        }
        let sequence = Sequence {
            before: &mut self.sequence,
            begun: 0,
            marks,
            threads,
            events: &self.events,
            last: Some(last),
            last_clock: clock,
            clocks: &self.clocks,
            hasty: false,
        };
        let (dpor, spare) = (self.dpor, &mut self.spare);
        let Some(point) = self.path.get(first) else {
            note(
                &mut self.nodes[first],
                dpor,
                sequence,
                &self.runner.cells,
                spare,
            );
            return;
        };
        let mut node = point.node();
        self.runner.cells.learn();
        if note(&mut node, dpor, sequence, &self.runner.cells, spare)
            && let Some(pool) = &self.pool
        {
            pool.list(point);
        }
    }

    /// Examines the races of an execution that has come to its end whose later event may access
    /// other cells when it sees other values. In a wake-up tree everything that does not depend on
    /// the earlier event has to be in front of it, because it may meet it there; so these races
    /// are examined again in every execution.
    pub(super) fn note_races(&mut self) {
        let races = std::mem::take(&mut self.races);
        for &(first, later) in &races {
            let shape = self.events[later].shape.clone();
            let clock = self.clocks.row(later).to_vec();
            self.note_reversal(first, &shape, &clock);
        }
        self.races = races;
    }

    /// Threads that wait for a lock when no thread can move: they could have come first.
    pub(super) fn note_waiting(&mut self) {
        for tid in 0..self.threads.len() as u32 {
            if !self.threads[tid as usize].blocked || !self.is_alive(tid) {
                continue;
            }
            let behind = self.threads[tid as usize].events.len() as u32;
            self.runner.oracle.asker = (tid, behind);
            if self.runner.run(Tid(tid), &Answers::new()) != Ran::Blocked {
                continue;
            }
            let mut touches = self.runner.shape.touches.clone();
            touches.iter_mut().for_each(|touch| touch.write = true);
            let shape = Shape {
                tid,
                marks: Marks::of(&self.runner.cells, &touches),
                touches,
                stable: true,
                ..Shape::default()
            };
            if !self.runner.record.insists {
                continue;
            }
            let (mut base, mut clock) = std::mem::take(&mut self.scratch);
            let races = self.races(&shape, &mut base, &mut clock);
            self.note_reversals(&Arc::new(shape), &clock, &races);
            self.scratch = (base, clock);
        }
    }
}

/// Notes at a point that a sequence has to be run from there; was that new?
fn note(
    node: &mut Node,
    dpor: Dpor,
    mut sequence: Sequence<'_>,
    cells: &Cells,
    spare: &mut Vec<Vec<Branch>>,
) -> bool {
    sequence.hasty = node.hasty;
    match dpor {
        Dpor::None => false,
        Dpor::Classic => note_persistent(node, &sequence),
        Dpor::Source => note_source(node, &sequence),
        Dpor::Optimal => {
            let asleep = |shape: &Arc<Shape>| sequence.is_covered_by(cells, shape);
            if node.sleep.iter().any(asleep) {
                return false;
            }
            let length = sequence.before.len() + 1;
            let added = sequence.insert(cells, &mut node.tree, spare);
            if added {
                node.note_added(length);
            }
            added
        }
    }
}

/// The thread of the later event, if it exists at that point, or else all threads.
///
/// That thread alone may be asleep although not every execution that starts with the sequence has
/// been run, because threads that sleep are not examined for races. So a first thread of the
/// sequence is added as well: persistent sets that are source sets too.
fn note_persistent(node: &mut Node, sequence: &Sequence<'_>) -> bool {
    let noted = node.backtrack.len();
    match sequence.last {
        Some(last) if last.tid < node.threads => node.wake(last.tid),
        _ => (0..node.threads).for_each(|tid| node.wake(tid)),
    }
    note_source(node, sequence);
    node.backtrack.len() > noted
}

/// One of the threads that can be first, unless one of them is noted already.
fn note_source(node: &mut Node, sequence: &Sequence<'_>) -> bool {
    let initials = sequence.initials();
    let fresh = !initials.iter().any(|tid| node.backtrack.contains(tid));
    if fresh {
        node.wake(initials[0]);
    }
    fresh
}
