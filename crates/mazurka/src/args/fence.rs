//! `mazurka fence`.

use super::{LimitArgs, ProgramArgs, seconds};
use clap::{Args, ValueEnum};
use std::time::Duration;

/// Which memory orders a program needs.
#[derive(Args, Clone, Debug)]
pub struct FenceArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// What must not get lost: properties that the engine `graphs` checks, separated by commas
    #[arg(long, value_name = "PROPERTY", default_value = "reach,race")]
    pub property: String,
    /// What orders mean: tso, pso, ra, rc11, or a model in the language CAT (FILE.cat)
    #[arg(long, value_name = "MODEL", default_value = "rc11")]
    pub memory_model: String,
    /// What to weaken first: few fences are left, or many accesses are relaxed
    #[arg(long, value_name = "WHICH", default_value = "fences")]
    pub first: WeakenFirst,
    /// Leave an order as it is if a question about it takes longer than this, in seconds or with a unit
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = seconds)]
    pub each: Duration,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// A table for people, or one JSON object for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: FenceFormat,
}

/// What is weakened first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WeakenFirst {
    /// Fences, then accesses
    Fences,
    /// Accesses, then fences
    Accesses,
}

impl From<WeakenFirst> for ::fence::First {
    fn from(first: WeakenFirst) -> ::fence::First {
        match first {
            WeakenFirst::Fences => ::fence::First::Fences,
            WeakenFirst::Accesses => ::fence::First::Accesses,
        }
    }
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FenceFormat {
    /// A table
    Text,
    /// One JSON object
    Json,
}
