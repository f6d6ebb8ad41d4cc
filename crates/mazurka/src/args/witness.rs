//! Witnesses: which to write, and which to validate.

use super::{EnvironmentKind, LimitArgs, Model, ReadingArgs, ShowArgs, Switch};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Options of `mazurka check` about witnesses.
#[derive(Args, Clone, Debug, Default)]
pub struct WitnessArgs {
    /// Write a witness of the verdict for other tools: GraphML if the name ends in `.graphml`, YAML if it
    /// ends in `.yml` (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub witness: Vec<PathBuf>,
    /// The version of the witness in YAML; the n-th is for the n-th file in YAML, the last for the rest
    /// [default: 2.2 for violations, 2.0 for correctness]
    #[arg(long, value_name = "VERSION", requires = "witness")]
    pub witness_format: Vec<WitnessFormat>,
}

/// A version of the format in YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WitnessFormat {
    /// Without threads
    #[value(name = "2.0")]
    V2_0,
    /// With ghost variables in correctness witnesses
    #[value(name = "2.1")]
    V2_1,
    /// With threads in violation witnesses
    #[value(name = "2.2")]
    V2_2,
}

impl From<WitnessFormat> for witness::yaml::Version {
    fn from(format: WitnessFormat) -> witness::yaml::Version {
        match format {
            WitnessFormat::V2_0 => witness::yaml::Version::V2_0,
            WitnessFormat::V2_1 => witness::yaml::Version::V2_1,
            WitnessFormat::V2_2 => witness::yaml::Version::V2_2,
        }
    }
}

/// `mazurka validate`.
#[derive(Args, Clone, Debug)]
pub struct ValidateArgs {
    /// The witness, in GraphML or YAML, of any tool
    #[arg(long, value_name = "FILE")]
    pub witness: PathBuf,
    /// Check only whether the witness is well-formed: exit status 0 if so, 65 if not
    #[arg(long)]
    pub lint_only: bool,
    /// The program
    #[arg(value_name = "PROGRAM", required_unless_present = "lint_only")]
    pub files: Vec<PathBuf>,
    /// Property that the witness must be about: reach, race, ..., or a .prp file [default: what it says]
    #[arg(long, value_name = "PROPERTY")]
    pub property: Option<String>,
    /// Data model that the witness must be for [default: what it says]
    #[arg(long, value_name = "MODEL")]
    pub data_model: Option<Model>,
    /// Look for headers in this folder too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Start in this function instead of `main`
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

impl ValidateArgs {
    /// How to read the program.
    pub fn reading(&self, data_model: Model) -> ReadingArgs {
        ReadingArgs {
            data_model,
            include: self.include.clone(),
            define: self.define.clone(),
            shrink: Vec::new(),
            undefine: Vec::new(),
            include_first: Vec::new(),
            system_include: Vec::new(),
            standard: None,
            entry: self.entry.clone(),
            args: None,
            arguments: Vec::new(),
            environment: EnvironmentKind::Typical,
            compile_commands: None,
            lbe: Switch::On,
            untrusted: false,
        }
    }
}
