//! Options.

/// How states are matched, and what is done where different ones match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Conditions and weakest preconditions of steps that a solver finds not to be precise.
    Amcs,
    /// All values of a state from which such a step starts.
    AddAll,
    /// Conditions and weakest preconditions of all steps, without a solver.
    NoProver,
    /// One predicate in each round: the one that splits the most abstract states.
    MaxOverlap,
    /// A small set of predicates that splits all of them.
    MinSet,
    /// For each of them one predicate that splits off the least value of a variable.
    #[default]
    MinOnly,
    /// No abstraction: depth first over concrete states, children in random order.
    RandomDfs,
}

impl Strategy {
    /// Does it split abstract states, one of the three ways of the paper?
    pub fn splits(self) -> bool {
        matches!(
            self,
            Strategy::MaxOverlap | Strategy::MinSet | Strategy::MinOnly
        )
    }

    /// Does it compare values, so that what names things could have other values?
    pub fn compares_values(self) -> bool {
        !matches!(self, Strategy::Amcs | Strategy::AddAll | Strategy::NoProver)
    }
}

/// Which state comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Search {
    /// The oldest.
    #[default]
    Bfs,
    /// The newest.
    Dfs,
    /// The one with a thread closest to an error.
    Error,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// The strategy.
    pub strategy: Strategy,
    /// For choices that are as good as each other.
    pub seed: u64,
    /// Leave out interleavings that others represent?
    pub por: bool,
    /// Match states that differ by a permutation of threads? Only strategies that compare values do.
    pub symmetry: bool,
    /// Store few states and search more often instead? Only strategies that split can.
    pub frugal: bool,
    /// `AddAll` adds all values once a step was not precise in so many searches, one after the other.
    pub threshold: u64,
    /// Which state comes next; random depth-first search has an order of its own.
    pub search: Search,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            strategy: Strategy::default(),
            seed: 1,
            por: true,
            symmetry: true,
            frugal: false,
            threshold: 1,
            search: Search::default(),
        }
    }
}
