//! What a user can choose.

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

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config {
    /// The strategy.
    pub strategy: Strategy,
    /// For choices that are as good as each other.
    pub seed: u64,
}
