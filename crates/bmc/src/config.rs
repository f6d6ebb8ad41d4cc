//! Options.

/// What the user can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How often loops are unrolled in the first attempt; every further one doubles it.
    pub first_rounds: u32,
    /// No attempt unrolls loops more often than this.
    pub most_rounds: u32,
    /// Writes the clauses of the last attempt to this file.
    pub dump: Option<std::path::PathBuf>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            first_rounds: 1,
            most_rounds: 1 << 16,
            dump: None,
        }
    }
}
