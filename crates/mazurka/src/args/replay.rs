//! `mazurka replay` and `mazurka verify-evidence`.

use super::{Format, LimitArgs, Model, Steps};
use clap::Args;
use std::path::PathBuf;

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
