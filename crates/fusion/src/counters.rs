//! Statistics of a search.

/// What the search counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    /// Executions that were run to their end.
    pub executions: u64,
    /// Executions that turned out to be redundant.
    pub blocked: u64,
    /// Executions that were cut for their length.
    pub cut: u64,
    /// Events that were run, without those that were run again to get back to a point.
    pub transitions: u64,
    /// Events that were run again.
    pub repeated: u64,
    /// Questions to the solver.
    pub solver_calls: u64,
    /// Errors that the solver found in another order of an execution's events.
    pub predicted: u64,
    /// Points with more to run that the solver proved error-free.
    pub pruned: u64,
}

impl Counters {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Counters) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.cut += other.cut;
        self.transitions += other.transitions;
        self.repeated += other.repeated;
        self.solver_calls += other.solver_calls;
        self.predicted += other.predicted;
        self.pruned += other.pruned;
    }
}
