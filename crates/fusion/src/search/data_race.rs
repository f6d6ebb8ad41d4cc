//! Data races: accesses that no happens-before orders.

use super::{Search, trace};
use crate::event::Event;
use semantics::{Trace, Violation};

impl Search<'_, '_> {
    /// Two accesses that race by happens-before, brought next to each other.
    pub(super) fn find_data_race(&self, last: &Event, races: &[usize]) -> Result<(), Trace> {
        for &first in races {
            let earlier = &self.events[first];
            let racing = earlier.shape.touches.iter().any(|a| {
                last.shape.touches.iter().any(|b| {
                    (a.write || b.write)
                        && !(a.atomic && b.atomic)
                        && self.runner.cells.overlap(a.cell, b.cell)
                })
            });
            let end = last.first_step as usize;
            let took_steps = !self.steps_of(first, end).is_empty();
            if !racing || !took_steps {
                continue;
            }
            let mut steps = self.runner.steps[..earlier.first_step as usize].to_vec();
            for index in first + 1..self.events.len() {
                if !self.clocks.is_after(&self.events[index], earlier) {
                    steps.extend_from_slice(self.steps_of(index, end));
                }
            }
            steps.extend_from_slice(self.steps_of(first, end));
            steps.extend_from_slice(&self.runner.steps[end..]);
            return Err(trace(Violation::DataRace, steps));
        }
        Ok(())
    }

    /// The steps of an event; all events together have `end` steps.
    pub(super) fn steps_of(&self, index: usize, end: usize) -> &[semantics::Step] {
        let from = self.events[index].first_step as usize;
        let next = self.events.get(index + 1);
        &self.runner.steps[from..next.map_or(end, |next| next.first_step as usize)]
    }
}
