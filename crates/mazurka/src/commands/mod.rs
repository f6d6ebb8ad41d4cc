//! One file for each subcommand.

pub(crate) mod auto;
mod bench;
mod cfa;
mod check;
mod check_all;
mod completions;
mod engines;
mod fence;
mod functions;
mod fuzz;
mod harness;
mod look;
mod lsp;
mod man;
mod native;
mod paper;
mod question;
mod replay;
mod serve;
mod shrink;
mod simulate;
mod stubs;
mod validate;
mod verify_evidence;
mod watch;

use crate::args::{Cli, Command, from_compilers};
use crate::failure::{Exit, Failure};
use crate::{output, pipeline};
use clap::Parser;
use std::process::ExitCode;

/// Reads the command line, does what it says, and tells the exit code.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse_from(from_compilers(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too; they are no errors.
            let exit = if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Safe
            };
            let _ = error.print();
            return exit.into();
        }
    };
    output::choose_colors(cli.color);
    match dispatch(cli.command) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::complain(&failure.message);
            failure.exit.into()
        }
    }
}

fn dispatch(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Check(mut args) => {
            let asked = args.asked().to_owned();
            pipeline::adopt_entry(&asked, &mut args.program.reading)?;
            args.show.quiet = args.quiet;
            args.show.coverage = args.coverage.clone();
            args.keep_errors_apart();
            check::run(&args)
        }
        Command::Watch(args) => watch::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Lsp => lsp::run(),
        Command::Replay(args) => replay::run(&args),
        Command::VerifyEvidence(args) => verify_evidence::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Fence(mut args) => {
            pipeline::adopt_entry(&args.property, &mut args.program.reading)?;
            fence::run(&args)
        }
        Command::Simulate(mut args) => {
            args.show.coverage = args.coverage.clone();
            pipeline::adopt_entry(&args.property, &mut args.program.reading)?;
            simulate::run(&args)
        }
        Command::Cfa(mut args) => {
            pipeline::adopt_entry(&args.property, &mut args.program.reading)?;
            cfa::run(&args)
        }
        Command::Stubs(args) => stubs::run(&args),
        Command::Shrink(args) => shrink::run(&args),
        Command::Harness(args) => harness::run(&args),
        Command::Engines(args) => engines::run(&args),
        Command::Functions(args) => functions::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Paper(args) => paper::run(&args),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { command } => man::run(command.as_deref()),
    }
}
