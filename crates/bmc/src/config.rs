//! Options.

pub use crate::scheduler::Reduction;

/// How the order of steps is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Which write each read sees, and an order of events that fits.
    #[default]
    Ordering,
    /// Which thread moves in each step.
    Scheduler,
}

/// Which solver solves the formula of the ordering encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// CaDiCaL, with a theory of order inside.
    #[default]
    Sat,
    /// Z3, with places in the order as bit vectors.
    Z3,
}

/// What the user can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How often loops are unrolled in the first attempt; every further one doubles it.
    pub first_rounds: u32,
    /// No attempt unrolls loops more often than this.
    pub most_rounds: u32,
    /// Writes the formula of the last attempt to this file: SMT-LIB if its name ends in `.smt2`,
    /// clauses otherwise.
    pub dump: Option<std::path::PathBuf>,
    /// Writes the refutation of the last attempt to this file (CaDiCaL).
    pub refutation: Option<std::path::PathBuf>,
    /// How the order of steps is encoded.
    pub encoding: Encoding,
    /// Which interleavings the scheduler encoding leaves out.
    pub reduction: Reduction,
    /// Which solver solves the formula.
    pub backend: Backend,
    /// The scheduler encoding covers executions of this many steps; as many as there are, if none.
    pub steps: Option<u32>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            first_rounds: 1,
            most_rounds: 1 << 16,
            dump: None,
            refutation: None,
            encoding: Encoding::default(),
            reduction: Reduction::default(),
            backend: Backend::default(),
            steps: None,
        }
    }
}
