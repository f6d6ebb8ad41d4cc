//! The arguments of the command line, and their help.

mod bench;
mod engines;
mod fence;
mod functions;
mod fuzz;
mod live;
mod paper;
mod witness;

pub use bench::{BenchArgs, RunOn};
pub use engines::{AUTO, EngineArgs};
pub use fence::{FenceArgs, FenceFormat};
pub use functions::FunctionsArgs;
pub use fuzz::FuzzArgs;
pub use live::{ServeArgs, WatchArgs};
pub use paper::{PaperArgs, WhichPaper};
pub use witness::{ValidateArgs, WitnessArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use driver::{Environment, Reading};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use verdict::Property;
use xcfa::DataModel;

const EXAMPLES: &str = "\
Examples:
  mazurka check prog.c                     can an assertion fail, in any interleaving?
  mazurka check --property race prog.c     is there a data race?
  mazurka check --property all prog.c      everything that can be checked
  mazurka check --property deadlock -I include -D NDEBUG a.c b.c
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
With several properties: 1 if one is violated, else 2 if one is unknown, else 0.";

/// Find out whether a multi-threaded C program can go wrong.
///
/// Mazurka considers every interleaving of the threads and answers `safe`, `unsafe` with the
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

/// The program and how to read it.
#[derive(Args, Clone, Debug)]
pub struct ProgramArgs {
    /// The program: `.c` files are preprocessed with the system's `cc`, `.i` files are not
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// How to read a program. Files that belong to a program say so in these words.
#[derive(Args, Clone, Debug, Serialize, Deserialize)]
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
    /// Run the program with these arguments, separated by blanks: `argv` is known then; the empty text is none
    #[arg(long, value_name = "TEXT", conflicts_with = "arguments")]
    #[serde(default)]
    pub args: Option<String>,
    /// Run the program with these arguments
    #[arg(last = true, value_name = "ARG")]
    #[serde(default)]
    pub arguments: Vec<String>,
    /// What the system does that the program runs on: `typical` gives memory and threads, `arbitrary` may refuse both
    #[arg(long, value_name = "KIND", default_value = "typical")]
    #[serde(default)]
    pub environment: EnvironmentKind,
    /// Preprocess each file as this list of commands says (compile_commands.json); without FILE, check all files in the list
    #[arg(long, value_name = "FILE.json")]
    pub compile_commands: Option<PathBuf>,
    /// Large blocks: a shared operation and the local steps after it are one step
    #[arg(long, value_name = "ON", default_value = "on")]
    pub lbe: Switch,
    /// The program is untrusted: refuse directives that name files, and let the preprocessor open only headers
    #[arg(long, conflicts_with = "compile_commands")]
    #[serde(skip)]
    pub untrusted: bool,
}

/// A choice that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

/// What the system does that a program runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EnvironmentKind {
    /// It gives memory and threads
    #[default]
    Typical,
    /// It may refuse both
    Arbitrary,
}

impl From<EnvironmentKind> for Environment {
    fn from(kind: EnvironmentKind) -> Environment {
        match kind {
            EnvironmentKind::Typical => Environment::Typical,
            EnvironmentKind::Arbitrary => Environment::Arbitrary,
        }
    }
}

impl ReadingArgs {
    /// What the program is run with, if the user says it.
    pub fn known_arguments(&self) -> Option<Vec<String>> {
        match &self.args {
            Some(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            None => (!self.arguments.is_empty()).then(|| self.arguments.clone()),
        }
    }
}

impl From<&ReadingArgs> for Reading {
    fn from(args: &ReadingArgs) -> Reading {
        Reading {
            data_model: args.data_model.into(),
            include: args.include.clone(),
            define: args.define.clone(),
            entry: args.entry.clone(),
            arguments: args.known_arguments(),
            environment: args.environment.into(),
            compile_commands: args.compile_commands.clone(),
            large_blocks: args.lbe == Switch::On,
            untrusted: args.untrusted,
        }
    }
}

/// A data model as it is spelt on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    /// Give up after this time, in seconds or with a unit (90, 5m, 1.5h) [default: never]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up when the states take more memory than this, in MiB or with a unit (512M, 2G)
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = bytes)]
    pub memory: u64,
}

/// How to show an answer.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// Output format: text for people, one JSON object for programs, or lines for editors
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Show what the engine counted
    #[arg(long)]
    pub stats: bool,
    /// Which lines of a schedule to show
    #[arg(long, value_name = "WHICH", default_value = "relevant")]
    pub schedule: Steps,
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

/// Which lines of a schedule are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Steps {
    /// All of them
    All,
    /// Those where another thread goes on, and the violation
    Switches,
    /// All of a short schedule; of a long one those that others can see
    Relevant,
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
    /// Annotations of a pull request, as GitHub's runners read them
    Github,
}

/// The properties, for `--help`.
fn properties() -> String {
    let row = |it: Property| format!("  {:<12} {}\n", it.name(), it.demands());
    let rows: String = Property::ALL.map(row).concat();
    format!(
        "What to check:\n{rows}or a part of memsafety (valid-deref, valid-free, valid-memtrack), a \
         name of the competition (unreach-call, no-data-race, no-overflow, valid-memsafety), the name of \
         a property file (.prp), several of these separated by commas, or `all`"
    )
}

fn what_to_check() -> String {
    format!(
        "What to check: {}, a .prp file, several separated by commas, or all",
        Property::names()
    )
}

/// `mazurka check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// What to check.
    #[arg(long, value_name = "PROPERTY", default_value = "reach")]
    #[arg(help = what_to_check(), long_help = properties())]
    pub property: String,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Which executions are possible: sc, tso, pso, ra, rc11, or a model in the language CAT (FILE.cat)
    #[arg(long, value_name = "MODEL", default_value = "sc")]
    pub memory_model: String,
    /// How to check it
    #[arg(long, value_name = "ENGINE", default_value = AUTO, value_parser = engines::names())]
    pub engine: String,
    /// How many engines run at a time with `--engine auto` [default: two, if there are two cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub cores: Option<u16>,
    /// Show which engines ran, for how long, and why they gave up
    #[arg(long)]
    pub explain: bool,
    /// Accept an answer only if two different engines agree
    #[arg(long)]
    pub paranoid: bool,
    /// Write what the verdict rests on to this folder, for `mazurka verify-evidence`
    #[arg(long, value_name = "DIR")]
    pub evidence: Option<PathBuf>,
    #[command(flatten)]
    pub witness: WitnessArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub engines: EngineArgs,
}

impl CheckArgs {
    /// An option that was given and makes sense for one property only.
    pub fn only_for_one(&self) -> Option<&'static str> {
        let given = [
            ("--trace", self.show.trace.is_some()),
            ("--html", self.show.html.is_some()),
            ("--sarif", self.show.sarif.is_some()),
            ("--junit", self.show.junit.is_some()),
            ("--evidence", self.evidence.is_some()),
            ("--witness", !self.witness.witness.is_empty()),
        ];
        given
            .into_iter()
            .find(|(_, is_given)| *is_given)
            .map(|(name, _)| name)
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

/// `mazurka stubs`.
#[derive(Args, Clone, Debug)]
pub struct StubsArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Write the stubs to this file instead of printing them
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
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
    /// Which lines of a schedule to show
    #[arg(long, value_name = "WHICH", default_value = "relevant")]
    pub schedule: Steps,
    /// Write the schedule to a page for a browser
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
    /// Write the program as C that gcc compiles and whose threads follow the schedule (needs -o)
    #[arg(long, requires = "output")]
    pub native: bool,
    /// Where --native writes: a file, or a folder if the program has several files
    #[arg(short, long, value_name = "REPRO.c", requires = "native")]
    pub output: Option<PathBuf>,
    /// Compile what --native has written, run it, and report whether it fails as predicted
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
    /// Reject evidence about another property
    #[arg(long, value_name = "PROPERTY")]
    pub property: Option<String>,
    /// Reject evidence for another data model
    #[arg(long, value_name = "MODEL")]
    pub data_model: Option<Model>,
    /// Reject evidence that starts in another function
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// Reject evidence with other macros than these
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Output format: text for people, or one JSON object for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
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

/// A time: seconds, or with a unit.
fn seconds(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let number = with_unit(text, &units, 1.0)
        .ok_or_else(|| "not a time: write seconds, or 500ms, 90s, 5m, 2h".to_owned())?;
    let duration = Duration::try_from_secs_f64(number).map_err(|error| error.to_string())?;
    if duration.is_zero() {
        return Err("a time limit of 0 leaves no time".into());
    }
    Ok(duration)
}

/// A size in bytes: MiB, or with a unit.
fn bytes(text: &str) -> Result<u64, String> {
    let [k, m, g] = [1024.0, 1_048_576.0, 1_073_741_824.0];
    let units = [
        ("KiB", k),
        ("MiB", m),
        ("GiB", g),
        ("K", k),
        ("M", m),
        ("G", g),
    ];
    let number = with_unit(text, &units, m)
        .ok_or_else(|| "not a size: write MiB, or 512M, 2G".to_owned())?;
    // Larger numbers are no sizes of memory, and might not fit.
    match number {
        size if (m..1e18).contains(&size) => Ok(size as u64),
        _ => Err("a memory limit is at least 1 MiB, and less than what there is".into()),
    }
}

/// A number that may be followed by one of these units; without one it is in `plain`.
fn with_unit(text: &str, units: &[(&str, f64)], plain: f64) -> Option<f64> {
    let found = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor) = found.unwrap_or((text, plain));
    let number: f64 = number.trim().parse().ok()?;
    Some(number * factor)
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
        for bad in ["", "x", "-1", "0", "nan", "1e99", "5d", "s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
        assert_eq!(seconds("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(seconds("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(seconds("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(bytes("512"), Ok(512 << 20));
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("1.5GiB"), Ok(3 << 29));
        for bad in ["", "0", "-1", "G", "2T", "nan", "1e300", "1K"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
