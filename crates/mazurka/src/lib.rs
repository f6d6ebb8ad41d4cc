//! The command line of Mazurka: the only place with arguments, files, a terminal and exit codes.
//!
//! `args` says what can be asked, `commands` has one file for each subcommand, `schedule` draws
//! counterexamples. Nothing is decided here: programs are read and answered by the crate `driver`,
//! and every *unsafe* is replayed before it is shown.
//!
//! It is a library so that tests can compare the manual with its [`definition`]; the one user
//! beside them is `main`.

mod about;
mod args;
mod baseline;
mod cache;
mod commands;
mod digest;
mod evidence_file;
mod explanation;
mod failure;
mod fence_report;
mod findings;
mod fingerprint;
mod memory_model;
mod output;
mod output_files;
mod pipeline;
mod progress;
mod project;
mod report;
mod schedule;
mod signal;
mod snippet;
mod trace_file;
mod watchdog;
mod witness_file;
mod written_program;

pub use commands::run;

use clap::CommandFactory;

/// All commands and options as they are defined, for the manual's reference and its tests.
pub fn definition() -> clap::Command {
    args::Cli::command()
}
