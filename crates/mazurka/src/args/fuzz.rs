//! `mazurka fuzz`.

use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// `mazurka fuzz`.
#[derive(Args, Clone, Debug)]
pub struct FuzzArgs {
    /// The number of the first program; the same number gives the same program
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop after this many programs
    #[arg(long, value_name = "K", default_value_t = u64::MAX, hide_default_value = true)]
    pub programs: u64,
    /// Stop after this time
    #[arg(long, value_name = "MINUTES", default_value = "5")]
    pub minutes: f64,
    /// Time for each engine on each program
    #[arg(long, value_name = "TIME", default_value = "0.3", value_parser = super::seconds)]
    pub limit: Duration,
    /// How many programs at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Mutate these programs (files, or all C files below folders) instead of generating random ones: drop a lock, swap statements, change an operator
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub mutate: Vec<PathBuf>,
    /// What random programs are about, with weights: `plain`, `all`, or names of classes, as in
    /// `plain=3,unlocks`; by default plain ones as often as all others together
    #[arg(
        long,
        value_name = "CLASSES",
        default_value_t,
        hide_default_value = true
    )]
    pub classes: fuzz::Mix,
    /// Continue until this many wrong verdicts are found
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub findings: usize,
    /// Folder in which programs with wrong verdicts are kept
    #[arg(long, value_name = "DIR", default_value = "litmus")]
    pub keep: PathBuf,
}
