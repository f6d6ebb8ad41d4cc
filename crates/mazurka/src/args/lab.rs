//! `mazurka lab`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// `mazurka lab`.
#[derive(Args, Clone, Debug)]
pub struct LabArgs {
    /// Which experiment
    #[arg(value_name = "EXPERIMENT")]
    pub experiment: Experiment,
    /// The folder with its programs, if it is not the one of that name in bench/
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Time limit for each cell of the table
    #[arg(long, value_name = "SECS", default_value = "60", value_parser = super::seconds)]
    pub timeout: Duration,
    /// Only rows with this text in their name
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Which table of the paper: 1 for errors, 2 for termination (horn)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub table: u8,
    /// How many states of each model are looked for (matching)
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub count: usize,
    /// Decides which states these are (matching)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Which state comes next, except for random search (matching)
    #[arg(long, value_name = "ORDER", default_value = "bfs")]
    pub search: super::Search,
    /// Let strategies that split store few states and rather search more often (matching)
    #[arg(long, value_name = "ON", default_value = "off")]
    pub frugal: super::Switch,
    /// Draw the tables too, as SVG files in this folder (matching)
    #[arg(long, value_name = "DIR")]
    pub draw: Option<PathBuf>,
}

/// The experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Experiment {
    /// Table 1 of "Symbolic Pruning of Concurrent Program Executions": with and without a solver
    Fusion,
    /// Tables I and II of "Reduction for Compositional Verification of Multi-Threaded Programs"
    Horn,
    /// Tables 5.1 to 5.5 of "Finding Termination and Time Improvement in Predicate Abstraction with
    /// Under-Approximation and Abstract Matching": how soon seven methods find states of seven models
    Matching,
    /// Table 1 of "Peephole Partial Order Reduction": four reductions of the scheduler encoding
    Peephole,
}
