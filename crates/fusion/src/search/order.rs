//! Happens-before, and the races that it leaves.

use super::Search;
use crate::clocks::{Clock, knows};
use crate::event::{Event, LockOp, Shape};
use smallvec::SmallVec;

/// Events that race with a step.
pub type Races = SmallVec<[usize; 4]>;

impl Search<'_, '_> {
    /// What comes before the next step of a thread whatever it accesses: at most two events.
    fn behind(&self, shape: &Shape) -> (Option<usize>, Option<usize>) {
        let log = &self.threads[shape.tid as usize];
        let previous = log.events.last().copied().or(log.start);
        let joined = self.runner.record.joined;
        let ended = joined.and_then(|tid| self.threads.get(tid.0 as usize)?.events.last());
        let index = |event: u32| event as usize;
        (previous.map(index), ended.copied().map(index))
    }

    /// The events that race with a step and could come after it as well; `clock` becomes what
    /// comes before the step.
    pub(super) fn races(&self, shape: &Shape, base: &mut Vec<u32>, clock: &mut Vec<u32>) -> Races {
        let (previous, ended) = self.behind(shape);
        self.clocks.begin(previous, clock);
        if let Some(ended) = ended {
            self.clocks.merge(clock, ended);
        }
        let base: &Clock = match (previous, ended) {
            (Some(previous), None) => self.clocks.row(previous),
            _ => {
                base.clone_from(clock);
                base
            }
        };
        let mut found = Races::new();
        let insists = self.runner.record.insists;
        for touch in &shape.touches {
            let waits = insists || self.runner.cells.is_waiter(touch.cell);
            self.history.before(&self.runner.cells, touch, |index| {
                let event = &self.events[index];
                if knows(base, event) {
                    return;
                }
                if !waits && !found.contains(&index) {
                    found.push(index);
                }
                self.clocks.merge(clock, index);
            });
        }
        if found.len() > 1 {
            let all = found.clone();
            let is_after = |later: &usize, earlier: &usize| {
                let (later, earlier) = (&self.events[*later], &self.events[*earlier]);
                self.clocks.is_after(later, earlier)
            };
            found.retain(|index| {
                !all.iter()
                    .any(|other| other > index && is_after(other, index))
            });
        }
        if insists {
            self.rivals(shape, base, &mut found);
        }
        found
    }

    /// The events that a thread could take a lock before.
    pub(super) fn rivals(&self, shape: &Shape, base: &Clock, found: &mut Races) {
        let shared = self.runner.record.lock == LockOp::AcquireRead;
        for touch in &shape.touches {
            let known = |event: &Event| knows(base, event);
            let rivals = |index| {
                if !found.contains(&index) {
                    found.push(index);
                }
            };
            let (cells, events) = (&self.runner.cells, &self.events);
            self.history
                .rivals(cells, touch.cell, shared, events, known, rivals);
        }
    }
}
