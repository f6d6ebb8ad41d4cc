//! Options.

use abstraction::por::{Base, Dependence};
use serde::{Deserialize, Serialize};

/// What is known about the data in an abstract state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Domain {
    /// Values of some variables.
    Explicit,
    /// Which of some predicates hold, each for itself.
    Cartesian,
    /// Which combinations of some predicates hold.
    Boolean,
    /// Values and, where they are not enough, predicates.
    #[default]
    Product,
}

/// What is kept of the graph after a refinement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prune {
    /// Nothing.
    Full,
    /// What does not depend on what was wrong.
    #[default]
    Lazy,
}

/// Which node is expanded next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// The oldest.
    Bfs,
    /// The newest.
    #[default]
    Dfs,
    /// One that is closest to an error.
    Error,
}

/// Where new predicates come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refine {
    /// Weakest preconditions along the unsatisfiable core.
    #[default]
    Wp,
    /// Strongest postconditions along it.
    Sp,
    /// Sequence interpolants of it.
    Spacer,
}

/// All choices.
#[derive(Clone, Debug)]
pub struct Config {
    /// The domain.
    pub domain: Domain,
    /// How much to reduce.
    pub por: Base,
    /// When two actions meet.
    pub dependence: Dependence,
    /// What is kept.
    pub prune: Prune,
    /// What comes next.
    pub search: Search,
    /// Where predicates come from.
    pub refine: Refine,
    /// How often loops that start threads are unrolled at most.
    pub most_rounds: u32,
    /// How many threads of one template that are alike are counted at most.
    pub most_alike: u32,
    /// The names of variables that are tracked from the start.
    pub track: Vec<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            domain: Domain::default(),
            por: Base::default(),
            dependence: Dependence::default(),
            prune: Prune::default(),
            search: Search::default(),
            refine: Refine::default(),
            most_rounds: 16,
            most_alike: 4,
            track: Vec::new(),
        }
    }
}
