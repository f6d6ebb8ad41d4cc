//! `mazurka shrink`.

use super::{ProgramArgs, bytes, seconds};
use clap::Args;
use std::time::Duration;

/// `mazurka shrink`.
#[derive(Args, Clone, Debug)]
pub struct ShrinkArgs {
    /// The property that is to be answered
    #[arg(long, value_name = "PROPERTY", default_value = "reach")]
    pub property: String,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Give up each try after this time, in seconds or with a unit (90, 5m, 1.5h)
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
    /// Give up a try when the states take more memory than this, in MiB or with a unit (512M, 2G)
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = bytes)]
    pub memory: u64,
}
