//! Options of the engine `fusion`.

use clap::{Args, ValueEnum};

/// How `--engine fusion` explores.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of --engine fusion")]
pub struct FusionArgs {
    /// Which schedules are left out because another one stands for them
    #[arg(long, value_name = "REDUCTION", default_value = "optimal")]
    pub dpor: Reduction,
    /// Executions of more events than this are cut, which is never safe
    #[arg(long, value_name = "EVENTS", default_value_t = 20_000)]
    pub depth: usize,
    /// Let a solver look for errors in other orders of the events of an execution
    #[arg(long, value_name = "ON", default_value = "on")]
    pub check: super::Switch,
    /// Threads that search together; the number of executions stays the same. With `--prune on`
    /// one searches alone
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=256))]
    pub jobs: usize,
}

/// The reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reduction {
    /// None is left out
    None,
    /// Persistent sets
    Classic,
    /// Source sets
    Source,
    /// Wake-up trees: one execution for each class of equivalent ones
    Optimal,
}

impl FusionArgs {
    /// The options as the engine wants them.
    pub fn config(&self, prune: Option<super::Prune>) -> fusion::Config {
        fusion::Config {
            dpor: match self.dpor {
                Reduction::None => fusion::Dpor::None,
                Reduction::Classic => fusion::Dpor::Classic,
                Reduction::Source => fusion::Dpor::Source,
                Reduction::Optimal => fusion::Dpor::Optimal,
            },
            depth: self.depth,
            check: self.check == super::Switch::On,
            prune: prune == Some(super::Prune::On),
            jobs: self.jobs,
        }
    }
}
