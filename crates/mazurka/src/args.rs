//! The arguments of the command line, and their help.

mod bench;
mod cfa;
mod check;
mod engines;
mod fence;
mod functions;
mod fuzz;
mod harness;
mod limits;
mod live;
mod paper;
mod program;
mod replay;
mod show;
mod shrink;
mod simulate;
mod stubs;
mod witness;

pub use bench::{BenchArgs, RunOn};
pub use cfa::{CfaArgs, CfaFormat};
pub use check::CheckArgs;
pub use engines::{AUTO, EngineArgs, help as help_of_engine};
pub use fence::{FenceArgs, FenceFormat};
pub use functions::FunctionsArgs;
pub use fuzz::FuzzArgs;
pub use harness::HarnessArgs;
pub use limits::LimitArgs;
pub use live::{ServeArgs, WatchArgs};
pub use paper::{PaperArgs, WhichPaper};
pub use program::{EnvironmentKind, Model, ProgramArgs, ReadingArgs, Switch, from_compilers};
pub use replay::{ReplayArgs, VerifyEvidenceArgs};
pub use show::{Color, Format, ShowArgs, Steps};
pub use shrink::ShrinkArgs;
pub use simulate::SimulateArgs;
pub use stubs::StubsArgs;
pub use witness::{ValidateArgs, WitnessArgs};

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use limits::{bytes, seconds};

const EXAMPLES: &str = "\
Examples:
  mazurka check prog.c                     can an assertion fail? at a first look, what else goes wrong?
  mazurka check --property race prog.c     is there a data race?
  mazurka check --property all prog.c      everything that can be checked, in full
  mazurka check --property deadlock -I include -D NDEBUG a.c b.c
  mazurka check                            all checks of mazurka.toml in this folder
  mazurka check --trace bug.json prog.c    keep the counterexample ...
  mazurka replay bug.json                  ... and run it again
  mazurka check --html bug.html prog.c     the same as a page to step through
  mazurka watch prog.c                     check again whenever it is saved
  mazurka check --memory-model rc11 prog.c memory orders mean what they say
  mazurka fence prog.c                     which memory orders may be weaker?
  mazurka serve                            a page to write and check programs in
  mazurka check --witness w.graphml prog.c write a witness for other tools ...
  mazurka validate --witness w.yml prog.c  ... and check one of theirs
  mazurka bench suite/ --timeout 30        run a whole suite of tasks ...
  mazurka bench --from a.csv b.csv --html r.html   ... and compare results on a page

Exit status: 0 safe, 1 unsafe, 2 unknown, 64 bad usage, 65 input refused.
With several properties or checks: 1 if one is violated, else 2 if one is unknown, else 0.
With --fail-on unsafe, unknown is 0, too.";

/// Find out whether a multi-threaded C program can go wrong.
///
/// Mazurka considers every interleaving of the threads and answers `safe`, `unsafe` with the
/// schedule that leads to the error, or `unknown` with the reason.
#[derive(Debug, Parser)]
#[command(name = "mazurka", version, after_help = EXAMPLES, after_long_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// Where to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// `mazurka engines`.
#[derive(Args, Clone, Debug)]
pub struct EnginesArgs {
    /// The engine whose options to list; all engines if none is named
    pub engine: Option<String>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify a program: safe, unsafe with a schedule, or unknown with a reason
    Check(CheckArgs),
    /// Check a program again whenever one of its files is saved
    Watch(WatchArgs),
    /// Open a local page to write programs, check them and read the reports
    Serve(ServeArgs),
    /// Serve an editor: diagnostics, checks of single functions, schedules (a language server on standard input and output)
    Lsp,
    /// Replay a counterexample that `check --trace` has written
    Replay(ReplayArgs),
    /// Check a verdict again from the evidence that `check --evidence` has written
    VerifyEvidence(VerifyEvidenceArgs),
    /// Check a witness of any tool: does it lead to a violation, or to a proof
    Validate(ValidateArgs),
    /// Find the weakest memory orders that keep a property, and which have to be stronger if it fails
    Fence(FenceArgs),
    /// Run a program many times with random schedules; finds bugs, proves nothing
    Simulate(SimulateArgs),
    /// Show the control flow automata of a program
    Cfa(CfaArgs),
    /// Write a C file with a stub for each function that a program calls and that is not known
    Stubs(StubsArgs),
    /// Write a C file whose threads call the functions of a library in any order, to check the library with
    Harness(HarnessArgs),
    /// Look for smaller constants with which a program is answered, and say what they do not cover
    Shrink(ShrinkArgs),
    /// List the engines, or the options of one of them
    Engines(EnginesArgs),
    /// List the known functions of the C library: modelled, harmless or refused
    Functions(FunctionsArgs),
    /// Run whole suites of verification tasks, compare configurations and other verifiers
    Bench(BenchArgs),
    /// Compare engines on random programs; stop at the first wrong verdict
    Fuzz(FuzzArgs),
    /// Measure the tables and figures of a paper again and print them beside the paper's own
    Paper(PaperArgs),
    /// Print a completion script for your shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print a manual page; pipe it to `man -l -`, or store it where `man` finds it
    Man {
        /// The command; `mazurka` itself if none is named
        command: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
