//! Options of `--engine horn`.

use super::Switch;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use verdict::Property;

/// How `--engine horn` proves.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of --engine horn")]
pub struct HornArgs {
    /// Treat blocks of actions that commute with those of other threads as one step
    #[arg(long, value_name = "ON", default_value = "on")]
    pub reduction: Switch,
    /// How the locks that are held and the phases of blocks are found
    #[arg(long, value_name = "HOW", default_value = "flow")]
    pub inference: Inference,
    /// How many threads an invariant speaks about, the others being its environment
    #[arg(long, value_name = "THREADS", default_value = "auto")]
    pub index: Index,
    /// The rule of proof; the one that goes with the property if it is not given
    #[arg(long, value_name = "RULE")]
    pub rule: Option<Rule>,
    /// Ask this solver instead of Spacer: a command that is given a file of Horn clauses in SMT-LIB
    /// (bit vectors) as its last argument; what it answers is checked
    #[arg(long, value_name = "COMMAND")]
    pub solver_cmd: Option<String>,
    /// Show the invariants of a proof
    #[arg(long)]
    pub invariants: bool,
}

/// How many threads an invariant speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Index {
    /// One thread
    #[value(name = "1")]
    One,
    /// Two threads
    #[value(name = "2")]
    Two,
    /// Three threads
    #[value(name = "3")]
    Three,
    /// One, then two, then all, or three if there is no end of them
    Auto,
}

/// How locks and phases are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Inference {
    /// By following the actions of each thread
    Flow,
    /// By Horn clauses, as in the paper
    Clauses,
}

/// What is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rule {
    /// No error is reached (reach, overflow)
    Safety,
    /// Every execution ends (termination)
    Termination,
}

impl HornArgs {
    /// What does not go with the property, if anything.
    pub fn refused(&self, property: Property) -> Option<&'static str> {
        if self.solver_cmd.is_some() && !matches!(property, Property::Reach | Property::Overflow) {
            return Some("--solver-cmd goes with --property reach or overflow");
        }
        if self.index != Index::Auto && property == Property::Termination {
            return Some("--index goes with --property reach or overflow");
        }
        match (self.rule?, property) {
            (Rule::Safety, Property::Reach | Property::Overflow)
            | (Rule::Termination, Property::Termination) => None,
            (Rule::Safety, _) => Some("--rule safety goes with --property reach or overflow"),
            (Rule::Termination, _) => Some("--rule termination goes with --property termination"),
        }
    }

    /// The options as the engine wants them.
    pub fn config(&self, dump: Option<PathBuf>) -> horn::Config {
        horn::Config {
            reduction: self.reduction == Switch::On,
            inference: match self.inference {
                Inference::Flow => horn::Inference::Flow,
                Inference::Clauses => horn::Inference::Clauses,
            },
            index: match self.index {
                Index::One => horn::Index::Threads(1),
                Index::Two => horn::Index::Threads(2),
                Index::Three => horn::Index::Threads(3),
                Index::Auto => horn::Index::Auto,
            },
            dump,
            solver: self.solver_cmd.clone(),
        }
    }
}
