//! Options of the engine.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How many threads an invariant is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Index {
    /// One, then two, then three or all.
    #[default]
    Auto,
    /// About this many threads.
    Threads(usize),
}

/// How locks and phases are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Inference {
    /// By following actions.
    #[default]
    Flow,
    /// By Horn clauses, as in the paper.
    Clauses,
}

/// Options of the engine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether reducible blocks are used.
    pub reduction: bool,
    /// How locks and phases are found.
    pub inference: Inference,
    /// How many threads an invariant is about.
    pub index: Index,
    /// Where the clauses are written to.
    pub dump: Option<PathBuf>,
    /// The command of a solver that is asked instead of our own.
    pub solver: Option<String>,
    /// Whether a proof that every execution ends is to come with ranks that others can check. These
    /// are searched for without reducible blocks, which takes more time.
    pub certify: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            reduction: true,
            inference: Inference::Flow,
            index: Index::Auto,
            dump: None,
            solver: None,
            certify: false,
        }
    }
}
