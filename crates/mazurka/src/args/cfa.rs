//! `mazurka cfa`.

use super::ProgramArgs;
use clap::{Args, ValueEnum};

/// `mazurka cfa`.
#[derive(Args, Clone, Debug)]
pub struct CfaArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Text, or a graph for Graphviz
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: CfaFormat,
    /// As translated from C, before calls are inlined and steps are merged
    #[arg(long)]
    pub raw: bool,
    /// Prepare the program for checking this property
    #[arg(long, value_name = "PROPERTY", default_value = "reach")]
    pub property: String,
}

/// How automata are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CfaFormat {
    /// One line for each edge
    Text,
    /// For Graphviz: `mazurka cfa --format dot prog.c | dot -Tsvg > prog.svg`
    Dot,
}
