//! What a user can choose, and what is told on the way.

/// In which order states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Search {
    /// Nearest first: counterexamples are shortest.
    #[default]
    Breadth,
    /// Newest first: deep errors are found sooner.
    Depth,
}

/// How to explore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config {
    /// The order. (Termination is always checked depth first.)
    pub search: Search,
}

/// How far an exploration is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Distinct states found.
    pub states: u64,
    /// Steps taken between them.
    pub transitions: u64,
    /// Steps from the start to the state at hand.
    pub depth: u64,
    /// Bytes in use for states.
    pub bytes: u64,
}
