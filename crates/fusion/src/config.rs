//! Options.

/// How many of the interleavings are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dpor {
    /// All of them.
    None,
    /// Persistent sets found on the way (Flanagan, Godefroid 2005), with sleep sets.
    Classic,
    /// Source sets (Abdulla, Aronis, Jonsson, Sagonas 2014), with sleep sets.
    Source,
    /// Wake-up trees: one execution for each equivalence class.
    #[default]
    Optimal,
}

/// How to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// The reduction.
    pub dpor: Dpor,
    /// Executions longer than this many events are cut in the last round; a cut execution means
    /// that the program is not proved safe.
    pub depth: usize,
    /// Let a solver look for errors in other orders of an execution's events.
    pub check: bool,
    /// Let a solver find points behind which no execution has an error.
    pub prune: bool,
    /// How many threads search; with `prune` it is one.
    pub jobs: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            dpor: Dpor::default(),
            depth: 20_000,
            check: true,
            prune: false,
            jobs: 1,
        }
    }
}
