//! Happens-before, and the races that it leaves.

use super::Search;
use crate::event::{Clock, Event, LockOp, Shape, knows, merge};
use smallvec::SmallVec;

impl Search<'_, '_> {
    /// What comes before the next step of a thread whatever it accesses.
    pub(super) fn base_clock(&self, shape: &Shape) -> Clock {
        let log = &self.threads[shape.tid as usize];
        let previous = log.events.last().copied().or(log.start);
        let mut clock = previous.map_or(Clock::new(), |event| {
            self.events[event as usize].clock.clone()
        });
        let joined = self.runner.record.joined;
        let ended = joined.and_then(|tid| self.threads.get(tid.0 as usize)?.events.last());
        if let Some(&event) = ended {
            merge(&mut clock, &self.events[event as usize].clock);
        }
        clock
    }

    /// The events that race with a step and could come after it as well; `clock`, at first what
    /// comes before the step in any case, learns what else does.
    pub(super) fn races(&self, shape: &Shape, clock: &mut Clock) -> SmallVec<[usize; 4]> {
        let base = clock.clone();
        let mut found: SmallVec<[usize; 4]> = SmallVec::new();
        let insists = self.runner.record.insists;
        for touch in &shape.touches {
            let waits = insists || self.cells.is_waiter(touch.cell);
            self.history.before(&self.cells, touch, |index| {
                let event = &self.events[index];
                if !waits && !knows(&base, event) && !found.contains(&index) {
                    found.push(index);
                }
                merge(clock, &event.clock);
            });
        }
        let all = found.clone();
        found.retain(|index| {
            let event = &self.events[*index];
            !all.iter()
                .any(|other| other != index && self.events[*other].is_after(event))
        });
        if insists {
            self.rivals(shape, &base, &mut found);
        }
        found
    }

    /// The events that a thread could take a lock before.
    pub(super) fn rivals(&self, shape: &Shape, base: &Clock, found: &mut SmallVec<[usize; 4]>) {
        let shared = self.runner.record.lock == LockOp::AcquireRead;
        for touch in &shape.touches {
            let known = |event: &Event| knows(base, event);
            let rivals = |index| {
                if !found.contains(&index) {
                    found.push(index);
                }
            };
            let (cells, events) = (&self.cells, &self.events);
            self.history
                .rivals(cells, touch.cell, shared, events, known, rivals);
        }
    }
}
