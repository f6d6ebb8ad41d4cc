//! `mazurka stubs`.

use super::ProgramArgs;
use clap::Args;
use std::path::PathBuf;

/// `mazurka stubs`.
#[derive(Args, Clone, Debug)]
pub struct StubsArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Write the stubs to this file instead of printing them
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
