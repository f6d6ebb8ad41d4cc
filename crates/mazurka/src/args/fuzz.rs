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
    /// Stop after so many programs
    #[arg(long, value_name = "K", default_value_t = u64::MAX, hide_default_value = true)]
    pub programs: u64,
    /// Stop after this time
    #[arg(long, value_name = "MINUTES", default_value = "5")]
    pub minutes: f64,
    /// Time for each engine on each program
    #[arg(long, value_name = "SECS", default_value = "0.3", value_parser = super::seconds)]
    pub limit: Duration,
    /// How many programs at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Instead of random programs, take these (files, or all C files below folders) with small changes:
    /// a lock dropped, statements swapped, another operator
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub mutate: Vec<PathBuf>,
    /// Where a program that shows something wrong is kept
    #[arg(long, value_name = "DIR", default_value = "litmus")]
    pub keep: PathBuf,
}
