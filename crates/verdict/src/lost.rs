//! What an engine says when the machine does not come to the violation that the engine has found.

use crate::{Budget, Reason, Task};
use semantics::Lost;

const MEMORY: &str = "an error depends on memory that is not followed";

impl Reason {
    /// Why a counterexample has no execution. `given_up` are the objects whose content the engine does
    /// not know.
    pub fn lost(task: &Task, lost: Lost, budget: &Budget, given_up: &[&str]) -> Reason {
        if let Lost::Beyond { edge, what } = lost {
            return Reason::unsupported_on(&task.xcfa, edge, what);
        }
        // Without the solver's answers nothing is known of the inputs.
        if let Some(stopped) = budget.exceeded(0) {
            return stopped;
        }
        if !given_up.is_empty() {
            return Reason::unsupported(format!("{MEMORY}: {}", given_up.join(", ")));
        }
        // Checks of memory may find more errors than there are.
        if task.xcfa.checks_memory {
            return Reason::unsupported(MEMORY);
        }
        // Objects have other addresses than in the machine.
        if task.xcfa.uses_addresses_as_numbers() || !task.xcfa.ordered.is_empty() {
            return Reason::unsupported("an error depends on the numbers that addresses are");
        }
        Reason::NotReplayed("the counterexample has no execution".into())
    }
}
