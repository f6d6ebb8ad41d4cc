//! `mazurka simulate`.

use super::{LimitArgs, ProgramArgs, ShowArgs};
use clap::Args;
use std::path::PathBuf;

/// `mazurka simulate`.
#[derive(Args, Clone, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// What to look for: reach, race, deadlock, overflow, memsafety, usage, or a .prp file
    #[arg(long, value_name = "PROPERTY", default_value = "reach")]
    pub property: String,
    /// Where the random choices start; the same seed gives the same runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many runs
    #[arg(long, value_name = "K", default_value_t = 1000)]
    pub runs: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    /// Write the lines that were reached (a tracefile of lcov); this proves nothing
    #[arg(long, value_name = "OUT.info")]
    pub coverage: Option<PathBuf>,
}
