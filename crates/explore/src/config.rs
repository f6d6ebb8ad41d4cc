//! Options and progress reports.

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
