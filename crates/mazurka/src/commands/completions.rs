//! `mazurka completions`: what a shell needs to complete our arguments.

use crate::args::Cli;
use crate::failure::{Exit, Failure};
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;

/// Runs the command.
pub fn run(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "mazurka", &mut script);
    output::print(&String::from_utf8_lossy(&script));
    Ok(Exit::Safe)
}
