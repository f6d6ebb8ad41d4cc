//! The engines by name.

use std::fmt;

/// An engine that can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Exhaustive exploration.
    Explore,
    /// Bounded model checking.
    Bmc,
    /// Abstraction refinement.
    Cegar,
    /// Dynamic exploration of classes of schedules.
    Fusion,
    /// Compositional proofs.
    Horn,
    /// Race proofs from locks, joins and ownership.
    Lockset,
    /// Concrete search with abstract matching.
    Matching,
}

impl Engine {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Explore => "explore",
            Engine::Bmc => "bmc",
            Engine::Cegar => "cegar",
            Engine::Fusion => "fusion",
            Engine::Horn => "horn",
            Engine::Lockset => "lockset",
            Engine::Matching => "matching",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
