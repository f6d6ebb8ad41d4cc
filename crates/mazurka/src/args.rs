//! What can be asked on the command line, and the help that explains it.

mod bench;
mod bmc;
mod cegar;
mod fusion;
mod fuzz;
mod horn;
mod live;
mod matching;
mod order;
mod paper;
mod prune;
mod witness;

pub use bench::{BenchArgs, Place};
pub use bmc::BmcArgs;
pub use cegar::CegarArgs;
pub use fusion::FusionArgs;
pub use fuzz::FuzzArgs;
pub use horn::HornArgs;
pub use live::{ServeArgs, WatchArgs};
pub use matching::MatchingArgs;
pub use order::{OrderArgs, Por, Search};
pub use paper::{PaperArgs, WhichPaper};
pub use prune::Prune;
pub use witness::{ValidateArgs, WitnessArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use std::time::Duration;
use xcfa::DataModel;

const EXAMPLES: &str = "\
Examples:
  mazurka check prog.c                     can an assertion fail, in any interleaving?
  mazurka check --property race prog.c     is there a data race?
  mazurka check --property deadlock -I include -D NDEBUG a.c b.c
  mazurka check --trace bug.json prog.c    keep the counterexample ...
  mazurka replay bug.json                  ... and run it again
  mazurka check --html bug.html prog.c     the same as a page to step through
  mazurka watch prog.c                     check again whenever it is saved
  mazurka serve                            a page to write and check programs in
  mazurka check --witness w.graphml prog.c write a witness for other tools ...
  mazurka validate --witness w.yml prog.c  ... and check one of theirs
  mazurka bench suite/ --timeout 30        run a whole suite of tasks ...
  mazurka bench --from a.csv b.csv --html r.html   ... and compare results on a page

Exit status: 0 safe, 1 unsafe, 2 unknown, 64 bad usage, 65 input refused.";

/// Find out whether a multi-threaded C program can go wrong.
///
/// Mazurka looks at every interleaving of the threads and answers `safe`, `unsafe` with the
/// schedule that leads to the error, or `unknown` with the reason.
#[derive(Debug, Parser)]
#[command(name = "mazurka", version, after_help = EXAMPLES, after_long_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
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
    /// Run a counterexample again that `check --trace` has written
    Replay(ReplayArgs),
    /// Check a verdict again from the evidence that `check --evidence` has written
    VerifyEvidence(VerifyEvidenceArgs),
    /// Check a witness of whichever tool: does it lead to a violation, or to a proof?
    Validate(ValidateArgs),
    /// Run a program many times with random schedules; finds bugs, proves nothing
    Simulate(SimulateArgs),
    /// Show the control flow automata of a program
    Cfa(CfaArgs),
    /// Run whole suites of verification tasks, compare configurations and other verifiers
    Bench(BenchArgs),
    /// Let the engines contradict each other on random programs; stops at the first wrong verdict
    Fuzz(FuzzArgs),
    /// Measure the tables and figures of a paper again and print them beside the paper's own
    Paper(PaperArgs),
    /// Print a completion script for your shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print a manual page, to be read with `man -l -` or kept where `man` looks
    Man {
        /// Of this command; of `mazurka` itself if none is named
        command: Option<String>,
    },
}

/// The program and how to read it.
#[derive(Args, Clone, Debug)]
pub struct ProgramArgs {
    /// The program: `.c` files are preprocessed with the system's `cc`, `.i` files are not
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// How to read a program.
#[derive(Args, Clone, Debug)]
pub struct ReadingArgs {
    /// Sizes of C's types: `long` and pointers of 32 or of 64 bits
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub data_model: Model,
    /// Look for headers in this folder too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Start in this function instead of `main`, with arbitrary arguments
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    /// Preprocess each file as this list of commands says (compile_commands.json); without FILE, all of
    /// the list
    #[arg(long, value_name = "FILE.json")]
    pub compile_commands: Option<PathBuf>,
    /// Large blocks: a shared operation and the local steps behind it are one step
    #[arg(long, value_name = "ON", default_value = "on")]
    pub lbe: Switch,
}

/// A choice that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

impl From<bool> for Switch {
    fn from(on: bool) -> Switch {
        if on { Switch::On } else { Switch::Off }
    }
}

/// A data model as it is spelt on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// 32-bit `long` and pointers
    Ilp32,
    /// 64-bit `long` and pointers
    Lp64,
}

impl From<Model> for DataModel {
    fn from(model: Model) -> DataModel {
        match model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        }
    }
}

/// Limits of a run.
#[derive(Args, Clone, Debug)]
pub struct LimitArgs {
    /// Give up after this time [default: never]
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up when the states take more memory than this
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = mebibytes())]
    pub memory: u64,
}

/// How to show an answer.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// For people, one JSON object for programs, or lines for editors
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Show what the engine counted
    #[arg(long)]
    pub stats: bool,
    /// Show every line of a long schedule
    #[arg(long)]
    pub all_steps: bool,
    /// Write the counterexample to a file that `mazurka replay` runs again
    #[arg(long, value_name = "OUT.json")]
    pub trace: Option<PathBuf>,
    /// Write the answer to a page for a browser: the schedule to step through, or the proof
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
    /// Write the answer for code-scanning pages (SARIF 2.1.0)
    #[arg(long, value_name = "OUT.sarif")]
    pub sarif: Option<PathBuf>,
    /// Write the answer as a test result (JUnit's XML)
    #[arg(long, value_name = "OUT.xml")]
    pub junit: Option<PathBuf>,
}

/// For whom an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// Lines as compilers print them, for editors
    Gcc,
}

const PROPERTIES: &str = "\
What to check:
  reach        no error function is called and no assertion fails
  race         no two threads use the same memory at once, one of them writing
  deadlock     some thread can always go on until all have ended
  overflow     no signed arithmetic leaves the range of its type
  memsafety    every access and every free is valid, no memory is lost
  termination  every execution ends
or the name of a property file (.prp)";

/// `mazurka check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// What to check: reach, race, deadlock, overflow, memsafety, termination, or a .prp file
    #[arg(long, value_name = "PROPERTY", default_value = "reach", long_help = PROPERTIES)]
    pub property: String,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// How to check it
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub engine: Engine,
    /// How many engines at a time with `--engine auto` [default: two, if there are two cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub cores: Option<u16>,
    /// Show what was tried, for how long, and why it gave up
    #[arg(long)]
    pub explain: bool,
    /// Believe an answer only if two different engines give it
    #[arg(long)]
    pub paranoid: bool,
    /// Write what the verdict rests on to this folder, for `mazurka verify-evidence`
    #[arg(long, value_name = "DIR")]
    pub evidence: Option<PathBuf>,
    #[command(flatten)]
    pub witness: WitnessArgs,
    /// What an engine gives up
    #[arg(long, value_name = "HOW")]
    pub prune: Option<Prune>,
    #[command(flatten)]
    pub order: OrderArgs,
    /// Write what the solver was asked last to a file: bmc clauses, or SMT-LIB if it ends in `.smt2`;
    /// horn Horn clauses in SMT-LIB
    #[arg(long, value_name = "FILE")]
    pub dump: Option<PathBuf>,
    #[command(flatten)]
    pub bmc: BmcArgs,
    #[command(flatten)]
    pub cegar: CegarArgs,
    #[command(flatten)]
    pub fusion: FusionArgs,
    #[command(flatten)]
    pub horn: HornArgs,
    #[command(flatten)]
    pub matching: MatchingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Several, chosen by the property and the program, until one has an answer
    Auto,
    /// Visit every reachable state of the program
    Explore,
    /// Unroll loops further and further, and let a SAT solver look for an execution
    Bmc,
    /// Look at few variables and predicates of the program, and at more where that is not enough
    Cegar,
    /// Run the program under one schedule after the other, each different from all before
    Fusion,
    /// Find invariants of threads that no other thread breaks, for any number of threads
    Horn,
    /// Prove that nothing can race: by locks, by starts and joins, by memory of one thread each
    Lockset,
    /// Visit states that look new to a set of predicates, and add predicates until all are visited
    Matching,
}

impl CheckArgs {
    /// What `mazurka check` does with a program if nothing else is said.
    pub fn defaults(program: ProgramArgs, property: &str, limits: LimitArgs) -> CheckArgs {
        let words = ["mazurka", "check", "--property", property, "a.c"];
        match Cli::try_parse_from(words).map(|cli| cli.command) {
            Ok(Command::Check(check)) => CheckArgs {
                program,
                limits,
                ..check
            },
            _ => unreachable!("these words are a call of `mazurka check`"),
        }
    }
}

impl Engine {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Explore => "explore",
            Engine::Bmc => "bmc",
            Engine::Cegar => "cegar",
            Engine::Fusion => "fusion",
            Engine::Horn => "horn",
            Engine::Lockset => "lockset",
            Engine::Matching => "matching",
        }
    }
}

impl From<portfolio::Engine> for Engine {
    fn from(engine: portfolio::Engine) -> Engine {
        match engine {
            portfolio::Engine::Explore => Engine::Explore,
            portfolio::Engine::Bmc => Engine::Bmc,
            portfolio::Engine::Cegar => Engine::Cegar,
            portfolio::Engine::Fusion => Engine::Fusion,
            portfolio::Engine::Horn => Engine::Horn,
            portfolio::Engine::Lockset => Engine::Lockset,
            portfolio::Engine::Matching => Engine::Matching,
        }
    }
}

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

/// `mazurka replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// The file that `check --trace` has written
    #[arg(value_name = "TRACE.json")]
    pub trace: PathBuf,
    /// The program, if its files have moved since
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Show every line of a long schedule
    #[arg(long)]
    pub all_steps: bool,
    /// Write the schedule to a page for a browser
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
    /// Write the program as C that gcc compiles and whose threads follow the schedule (needs -o)
    #[arg(long, requires = "output")]
    pub native: bool,
    /// Where --native writes: a file, or a folder if the program has several files
    #[arg(short, long, value_name = "REPRO.c", requires = "native")]
    pub output: Option<PathBuf>,
    /// Compile what --native has written, run it, and tell whether it fails as predicted
    #[arg(long, requires = "native")]
    pub run: bool,
}

/// `mazurka verify-evidence`.
#[derive(Args, Clone, Debug)]
pub struct VerifyEvidenceArgs {
    /// The folder that `check --evidence` has written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The program, if its files have moved since
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `mazurka simulate`.
#[derive(Args, Clone, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// What to look for: reach, race, deadlock, overflow, memsafety, or a .prp file
    #[arg(long, value_name = "PROPERTY", default_value = "reach")]
    pub property: String,
    /// Where the random choices start; the same seed gives the same runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many runs
    #[arg(long, value_name = "K", default_value_t = 1000)]
    pub runs: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "not a number of seconds".to_owned())?;
    let duration = Duration::try_from_secs_f64(number).map_err(|error| error.to_string())?;
    if duration.is_zero() {
        return Err("a time limit of 0 leaves no time".into());
    }
    Ok(duration)
}

/// More than 2^40 MiB would not fit into a number of bytes.
fn mebibytes() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..1 << 40)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times_and_sizes() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for bad in ["", "x", "-1", "0", "nan", "1e99"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
        let parse = |memory| Cli::try_parse_from(["mazurka", "check", "--memory", memory, "a.c"]);
        assert!(parse("512").is_ok());
        assert!(parse("0").is_err());
    }
}
