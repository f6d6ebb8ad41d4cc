//! Data races: accesses that no happens-before orders.

use super::{Search, trace};
use crate::event::Event;
use semantics::{Step, Trace, Violation};

impl Search<'_, '_> {
    /// Two accesses that race by happens-before, brought next to each other. An event without steps
    /// has only read what kept it from happening. One with steps has made its accesses, whatever
    /// its thread does after them.
    pub(super) fn find_data_race(&self, last: &Event, races: &[usize]) -> Result<(), Trace> {
        if last.steps.is_empty() {
            return Ok(());
        }
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
            return Err(self.up_to_the_race(trace(Violation::DataRace, steps)));
        }
        Ok(())
    }

    /// Without the steps that the two threads take on their own after their accesses, which may be
    /// many: for ever, if the thread goes round. Those of an atomic section have to stay.
    fn up_to_the_race(&self, mut trace: Trace) -> Trace {
        let replay = |trace: &Trace| semantics::replay(self.runner.machine, trace).ok();
        let Some([first, second]) = replay(&trace).and_then(|replay| replay.racing) else {
            return trace;
        };
        trace.steps.truncate(second + 1);
        let thread = trace.steps[first].thread;
        let is_own = |at: usize, step: &Step| at > first && at < second && step.thread == thread;
        let steps = trace.steps.iter().enumerate();
        let needed = steps.filter(|(at, step)| !is_own(*at, step));
        let shorter = Trace {
            steps: needed.map(|(_, step)| step.clone()).collect(),
            ..trace.clone()
        };
        match replay(&shorter).is_some() {
            true => shorter,
            false => trace,
        }
    }
}
