//! Options of `--engine bmc`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How `--engine bmc` unrolls and encodes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of --engine bmc")]
pub struct BmcArgs {
    /// How the order of steps is encoded
    #[arg(long, value_name = "ENCODING", default_value = "ordering")]
    pub encoding: Encoding,
    /// Which interleavings the scheduler encoding leaves out
    #[arg(long, value_name = "REDUCTION", default_value = "full")]
    pub ppor: Ppor,
    /// Look at executions of at most so many steps (scheduler encoding) [default: all]
    #[arg(long, value_name = "K")]
    pub steps: Option<u32>,
    /// Who solves the formula of the ordering encoding
    #[arg(long, value_name = "SOLVER", default_value = "sat")]
    pub backend: Backend,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    /// Which write each read sees, and an order of events that fits
    Ordering,
    /// Which thread moves in each step
    Scheduler,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ppor {
    /// None
    None,
    /// Of steps that never have a variable in common
    Static,
    /// Also of steps that access different places
    Simple,
    /// Also of steps that change nothing for each other
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// CaDiCaL, with a theory of order
    Sat,
    /// Z3
    Z3,
}

impl BmcArgs {
    /// As the engine wants it.
    pub fn config(&self, dump: Option<PathBuf>) -> bmc::Config {
        bmc::Config {
            encoding: match self.encoding {
                Encoding::Ordering => bmc::Encoding::Ordering,
                Encoding::Scheduler => bmc::Encoding::Scheduler,
            },
            reduction: match self.ppor {
                Ppor::None => bmc::Reduction::None,
                Ppor::Static => bmc::Reduction::Static,
                Ppor::Simple => bmc::Reduction::Simple,
                Ppor::Full => bmc::Reduction::Full,
            },
            backend: match self.backend {
                Backend::Sat => bmc::Backend::Sat,
                Backend::Z3 => bmc::Backend::Z3,
            },
            steps: self.steps,
            dump,
            ..bmc::Config::default()
        }
    }
}
