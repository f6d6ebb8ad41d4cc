//! A host that watches one step.

use semantics::{Access, Choice, Host, Open, Tid};
use xcfa::HavocOrigin;

/// Remembers what a step accesses and asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    /// What was accessed, in order.
    pub accesses: Vec<Access>,
    /// The thread whose end the step waits for.
    pub joins: Option<Tid>,
    /// Was an arbitrary value of some variable asked for that nothing sets before it is used?
    pub uninitialised: bool,
    /// Was it asked whether a weak compare-exchange fails for no reason? It does not.
    pub weak: bool,
    /// Was an input asked for?
    pub input: bool,
    /// Does it depend on where objects are?
    pub open: bool,
}

impl Host for Probe {
    const OBSERVES: bool = true;

    fn open(&mut self, _: Open) {
        self.open = true;
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        match choice {
            Choice::Value(_, HavocOrigin::Uninitialised) => self.uninitialised = true,
            Choice::Value(_, HavocOrigin::WeakFailure) => self.weak = true,
            // A fresh address is as good as that of an object that is gone.
            Choice::Address(_) => {}
            _ => self.input = true,
        }
        0
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn joins(&mut self, thread: Tid) {
        self.joins = Some(thread);
    }
}
