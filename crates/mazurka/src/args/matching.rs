//! Options of `--engine matching`.

use clap::{Args, ValueEnum};

/// How states are matched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of --engine matching")]
pub struct MatchingArgs {
    /// Which predicates are added where different states look the same
    #[arg(long, value_name = "STRATEGY", default_value = "min-only")]
    pub strategy: Strategy,
    /// Decides between choices that are as good as each other
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Strategy {
    /// Weakest preconditions, where a solver finds a step that is not precise
    Amcs,
    /// All values of the states from which such steps start
    AddAll,
    /// Weakest preconditions of all steps, without a solver
    NoProver,
    /// The one that splits the most abstract states
    MaxOverlap,
    /// A small set that splits all of them
    MinSet,
    /// For each of them one that splits off the least value of a variable
    MinOnly,
    /// None: depth first over concrete states, in random order
    RandomDfs,
}

impl MatchingArgs {
    /// As the engine wants it.
    pub fn config(&self) -> matching::Config {
        matching::Config {
            strategy: match self.strategy {
                Strategy::Amcs => matching::Strategy::Amcs,
                Strategy::AddAll => matching::Strategy::AddAll,
                Strategy::NoProver => matching::Strategy::NoProver,
                Strategy::MaxOverlap => matching::Strategy::MaxOverlap,
                Strategy::MinSet => matching::Strategy::MinSet,
                Strategy::MinOnly => matching::Strategy::MinOnly,
                Strategy::RandomDfs => matching::Strategy::RandomDfs,
            },
            seed: self.seed,
        }
    }
}
