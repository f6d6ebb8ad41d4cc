//! Drops backtrack points that the solver proves error-free (section 5.4 of the paper).

use super::Search;
use crate::ctp;
use semantics::Property;
use std::time::Instant;

impl Search<'_, '_> {
    /// At the end of an execution: if no execution that begins like this one up to some point has
    /// an error, nothing more need be run from there on.
    pub(super) fn prune(&mut self) {
        let reach = self.runner.machine.property == Property::Reach;
        let executions = self.counters.executions;
        // The solver asks about orders of what was done, not about what could have been done instead of a join.
        let decided = !self.runner.statics.joins_or_not;
        if !self.prune || !reach || !decided || !self.pays.is_due(executions) {
            return;
        }
        let mut points = 0..=self.events.len();
        let Some(deepest) = points.rfind(|&point| self.nodes[point].has_more()) else {
            return;
        };
        let start = Instant::now();
        let safe_from = self.safe_from(deepest);
        if let Some(first) = safe_from {
            for node in &mut self.nodes[first..=self.events.len()] {
                self.counters.pruned += u64::from(node.has_more());
                node.give_up_rest();
            }
            self.make_persistent(first);
        }
        self.pays.note(executions, safe_from.is_some());
        self.solver_time += start.elapsed();
    }

    /// The first point behind which there is no error, if `deepest` is such a point.
    fn safe_from(&mut self, deepest: usize) -> Option<usize> {
        let program = self.trace_program()?;
        let before = program.ops.iter().filter(|op| op.event < deepest).count();
        let calls = &mut self.counters.solver_calls;
        let safe = ctp::safe_prefix(&program, before, calls)?;
        let last = safe.checked_sub(1).map(|at| program.ops[at].event);
        Some(last.map_or(0, |event| event + 1))
    }
}
