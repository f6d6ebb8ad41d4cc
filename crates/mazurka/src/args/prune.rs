//! `--prune`, which two engines have a use for.

use super::Engine;
use clap::ValueEnum;

/// What is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prune {
    /// cegar: everything is built anew after a refinement
    Full,
    /// cegar: what was wrong is built anew after a refinement (the default)
    Lazy,
    /// fusion: points behind which a solver shows that there is no error are left
    On,
    /// fusion: they are not (the default)
    Off,
}

impl Prune {
    /// The engine that has a use for it.
    pub fn engine(self) -> Engine {
        match self {
            Prune::Full | Prune::Lazy => Engine::Cegar,
            Prune::On | Prune::Off => Engine::Fusion,
        }
    }
}
