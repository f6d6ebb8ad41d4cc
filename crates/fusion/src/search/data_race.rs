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
            if !racing || earlier.steps.is_empty() {
                continue;
            }
            let mut steps = Vec::new();
            for event in &self.events {
                if event.index < earlier.index || !self.clocks.is_after(event, earlier) {
                    steps.extend_from_slice(&event.steps);
                }
            }
            steps.extend_from_slice(&earlier.steps);
            steps.extend_from_slice(&last.steps);
            return Err(trace(Violation::DataRace, steps));
        }
        Ok(())
    }
}
