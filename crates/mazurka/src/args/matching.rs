//! Options of `--engine matching`.

use super::{OrderArgs, Por, Search, Switch};
use clap::{Args, ValueEnum};

/// How states are matched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of --engine matching")]
pub struct MatchingArgs {
    /// Which predicates are added where different states look the same
    #[arg(long, value_name = "STRATEGY", default_value = "min-only")]
    pub strategy: Strategy,
    /// Match states that differ by a permutation of threads that run the same code [default: on,
    /// except for amcs, add-all and no-prover, which cannot]
    #[arg(long, value_name = "ON")]
    pub symmetry: Option<Switch>,
    /// Store few states and rather search more often (max-overlap, min-set, min-only)
    #[arg(long, value_name = "ON", default_value = "off")]
    pub frugal: Switch,
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

impl Strategy {
    fn of_engine(self) -> matching::Strategy {
        match self {
            Strategy::Amcs => matching::Strategy::Amcs,
            Strategy::AddAll => matching::Strategy::AddAll,
            Strategy::NoProver => matching::Strategy::NoProver,
            Strategy::MaxOverlap => matching::Strategy::MaxOverlap,
            Strategy::MinSet => matching::Strategy::MinSet,
            Strategy::MinOnly => matching::Strategy::MinOnly,
            Strategy::RandomDfs => matching::Strategy::RandomDfs,
        }
    }
}

impl MatchingArgs {
    /// Can the order of the search be chosen?
    pub fn has_order(&self) -> bool {
        self.strategy != Strategy::RandomDfs
    }

    /// What is wrong with the choices, if something is.
    pub fn refused(&self) -> Option<&'static str> {
        let strategy = self.strategy.of_engine();
        if self.frugal == Switch::On && !strategy.splits() {
            return Some("--frugal on goes with the strategies max-overlap, min-set and min-only");
        }
        let compares = strategy.compares_values();
        (self.symmetry == Some(Switch::On) && !compares).then_some(
            "--symmetry on goes with the strategies max-overlap, min-set, min-only and random-dfs",
        )
    }

    /// As the engine wants it.
    pub fn config(&self, order: &OrderArgs) -> matching::Config {
        matching::Config {
            strategy: self.strategy.of_engine(),
            seed: self.seed,
            por: order.por != Some(Por::Off),
            symmetry: self.symmetry != Some(Switch::Off),
            frugal: self.frugal == Switch::On,
            search: order.search.unwrap_or(Search::Bfs).of_matching(),
        }
    }
}
