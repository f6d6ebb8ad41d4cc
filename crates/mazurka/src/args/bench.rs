//! `mazurka bench`.

use super::{bytes, engines, seconds};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  mazurka bench suite/ --timeout 30 --out night.csv
  mazurka bench suite/ --timeout 30 --out night.csv --resume
  mazurka bench a.yml b.set --engine bmc --engine cegar
  mazurka bench suite/ --config 'plain: --engine fusion --prune off' --config 'auto:' --repeat 3
  mazurka bench suite/ --engine auto --with cbmc --html report.html
  mazurka bench --from night.csv other.csv --html report.html
  mazurka bench suite/ --on slurm --sbatch '--partition=night'

Exit status: 0 the suite was run to its end, 1 a verdict is wrong, 2 stopped before the end.";

/// Where runs take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunOn {
    /// On this machine
    Here,
    /// On a cluster with Slurm, which sees the same files
    Slurm,
}

/// What only makes sense if something is run.
const RUNNING: [&str; 15] = [
    "suites", "engine", "config", "with", "peers", "timeout", "cpu", "memory", "repeat", "out",
    "resume", "evidence", "property", "on", "jobs",
];

/// `mazurka bench`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub struct BenchArgs {
    /// Folders with task definitions (`*.yml`, formats 1.0 and 2.0) at any depth, single
    /// definitions, or set files (`*.set`) with a pattern on each line
    #[arg(value_name = "SUITE", required_unless_present = "from")]
    pub suites: Vec<PathBuf>,
    /// An engine that every task is checked with (may be repeated) [default: auto]
    #[arg(long, value_name = "ENGINE", value_parser = engines::names())]
    pub engine: Vec<String>,
    /// A configuration with options of `mazurka check`, as `NAME: OPTIONS` (may be repeated)
    #[arg(long, value_name = "NAME: OPTIONS", allow_hyphen_values = true)]
    pub config: Vec<String>,
    /// Another verifier (may be repeated): cbmc, cpachecker, dartagnan, deagle, esbmc, goblint,
    /// nidhugg, theta, or one that `--peers` names
    #[arg(long, value_name = "TOOL")]
    pub with: Vec<String>,
    /// Where other verifiers are, how to run them, and what their output means
    #[arg(long, value_name = "FILE.toml")]
    pub peers: Option<PathBuf>,
    /// Wall-clock limit for each run
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = seconds)]
    pub timeout: Duration,
    /// CPU time limit for each run, summed over all its processes [default: none]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub cpu: Option<Duration>,
    /// Memory limit for each run
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = bytes)]
    pub memory: u64,
    /// Run everything this many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
    /// Write a row here as soon as a run ends
    #[arg(long, value_name = "FILE.csv", default_value = "results.csv")]
    pub out: PathBuf,
    /// Continue an earlier run: skip what `--out` has a row for
    #[arg(long)]
    pub resume: bool,
    /// How many runs at a time [default: one; on a cluster, as many as it allows]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Where to run the tasks
    #[arg(long, value_name = "WHERE", default_value = "here")]
    pub on: RunOn,
    /// More options for `sbatch`, with `--on slurm`: a partition, an account
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub sbatch: Option<String>,
    /// Run only the job of this number: what `--on slurm` calls on a node
    #[arg(long, value_name = "N", hide = true, requires = "row")]
    pub job: Option<usize>,
    /// Write the row of that job here
    #[arg(long, value_name = "FILE.csv", hide = true, requires = "job")]
    pub row: Option<PathBuf>,
    /// How many engines run at a time in each run, with `--engine auto`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub cores: Option<u16>,
    /// Keep the evidence for every verdict below this folder (one configuration, one repetition)
    #[arg(long, value_name = "DIR")]
    pub evidence: Option<PathBuf>,
    /// Only this property, by its short name or the name of its file (may be repeated)
    #[arg(long, value_name = "PROPERTY")]
    pub property: Vec<String>,
    /// Only tasks with this text in `family/task`
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Write all rows as one JSON object
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write the rows in the form of BenchExec; with several configurations or repetitions, a file
    /// for each of them with its name before the `.xml`
    #[arg(long, value_name = "FILE.xml")]
    pub xml: Option<PathBuf>,
    /// Write a page for a browser: points, plots, and every task
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Draw how many tasks are solved within which CPU time
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    /// Run nothing: take the rows of these files, of this and of other tools
    #[arg(long, value_name = "FILE.csv", num_args = 1.., conflicts_with_all = RUNNING)]
    pub from: Vec<PathBuf>,
}
