//! `mazurka shrink`.

use super::{LimitArgs, ProgramArgs};
use clap::Args;

/// `mazurka shrink`.
#[derive(Args, Clone, Debug)]
pub struct ShrinkArgs {
    /// The property that is to be answered
    #[arg(long, value_name = "PROPERTY", default_value = "reach")]
    pub property: String,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}
