//! `mazurka check`.

use super::program::Switch;
use super::{AUTO, EngineArgs, Format, LimitArgs, ProgramArgs, ShowArgs, WitnessArgs};
use crate::failure::Exit;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use verdict::Property;

/// The properties, for `--help`.
fn properties() -> String {
    let row = |it: Property| format!("  {:<12} {}\n", it.name(), it.demands());
    let rows: String = Property::ALL.map(row).concat();
    format!(
        "What to check:\n{rows}or a part of memsafety (valid-deref, valid-free, valid-memtrack), a \
         name of the competition (unreach-call, no-data-race, no-overflow, valid-memsafety), the name of \
         a property file (.prp), several of these separated by commas, or `all`. Without this option, \
         `reach` is checked; if the answer is only printed, as text, the others have a second each"
    )
}

fn what_to_check() -> String {
    format!(
        "What to check: {}, a .prp file, several separated by commas, or all [default: reach, and a look at the others]",
        Property::names()
    )
}

/// `mazurka check`. Of an option that is given twice the last one counts, as compilers do it.
#[derive(Args, Clone, Debug)]
#[command(args_override_self = true)]
pub struct CheckArgs {
    /// What to check; nothing if that was left open.
    #[arg(long, value_name = "PROPERTY")]
    #[arg(help = what_to_check(), long_help = properties())]
    pub property: Option<String>,
    /// Print one line for each property: the verdict, and what goes wrong
    #[arg(short, long, conflicts_with_all = ["stats", "explain"])]
    pub quiet: bool,
    /// Find every violation, not only the first one, each with its own schedule; implies --lbe off
    #[arg(long, conflicts_with_all = ["evidence", "witness"])]
    pub all_findings: bool,
    /// Only findings that are not in this file fail: an earlier answer as SARIF or JSON; implies --all-findings
    #[arg(long, value_name = "FILE", conflicts_with_all = ["evidence", "witness"])]
    pub baseline: Option<PathBuf>,
    /// Keep answers in this folder, and take from it what was answered before
    #[arg(long, value_name = "DIR", conflicts_with_all = ["evidence", "witness"])]
    pub cache: Option<PathBuf>,
    /// Which answers make the exit status other than 0
    #[arg(long, value_name = "ANSWER", default_value = "unknown")]
    pub fail_on: FailOn,
    /// Run the checks of this file; without FILE and this option, those of `mazurka.toml` in this folder
    #[arg(long, value_name = "FILE.toml", conflicts_with = "files")]
    pub config: Option<PathBuf>,
    /// Of the checks in the file, run only this one (may be repeated)
    #[arg(long, value_name = "NAME", conflicts_with = "files")]
    pub only: Vec<String>,
    /// The name of the check in the file that it comes from.
    #[arg(long, hide = true)]
    pub check_name: Option<String>,
    /// Which executions are possible: sc, tso, pso, ra, rc11, or a model in the language CAT (FILE.cat)
    #[arg(long, value_name = "MODEL", default_value = "sc")]
    pub memory_model: String,
    /// How to check it
    #[arg(long, value_name = "ENGINE", default_value = AUTO, value_parser = super::engines::names())]
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
    pub limits: LimitArgs,
    // A heading holds for everything behind it.
    #[command(flatten, next_help_heading = "Reading the program")]
    pub program: ProgramArgs,
    #[command(flatten, next_help_heading = "Witnesses")]
    pub witness: WitnessArgs,
    #[command(flatten, next_help_heading = "Showing the answer")]
    pub show: ShowArgs,
    /// Write the lines that were reached while the answer was looked for (a tracefile of lcov); this proves nothing
    #[arg(long, value_name = "OUT.info")]
    pub coverage: Option<PathBuf>,
    #[command(flatten)]
    pub engines: EngineArgs,
}

impl CheckArgs {
    /// Is there no program: are the checks of a file to be run?
    pub fn is_of_file(&self) -> bool {
        self.program.files.is_empty() && self.program.reading.compile_commands.is_none()
    }

    /// What is checked in full.
    pub fn asked(&self) -> &str {
        self.property.as_deref().unwrap_or("reach")
    }

    /// Was it left open what to check, and is the answer for people, with the engines and the meaning of programs that we
    /// choose? Then the other properties are looked at, too.
    pub fn looks_further(&self) -> bool {
        let is_left_open = self.property.is_none() && self.check_name.is_none();
        let is_for_people = self.show.format == Format::Text && !self.show.stats && !self.explain;
        let has_files = self.show.outputs().next().is_some()
            || self.only_for_one().is_some()
            || self.cache.is_some();
        let is_ordinary = self.engine == AUTO && self.memory_model == "sc" && !self.paranoid;
        is_left_open && is_for_people && !has_files && is_ordinary && !self.wants_all()
    }

    /// Are all violations wanted? To know that nothing is new, it takes all of them.
    pub fn wants_all(&self) -> bool {
        self.all_findings || self.baseline.is_some()
    }

    /// Where all violations are wanted, there are no large blocks: in one of them, what comes before an error would be
    /// left out together with it.
    pub fn keep_errors_apart(&mut self) {
        if self.wants_all() {
            self.program.reading.lbe = Switch::Off;
        }
    }

    /// What makes no sense together, if something does not.
    pub fn refused(&self) -> Option<String> {
        if self.quiet && self.show.format != Format::Text {
            return Some("--quiet is about --format text".to_owned());
        }
        if self.cache.is_some() && self.show.coverage.is_some() {
            let what = "--coverage is about a search, and an answer from the --cache needs none";
            return Some(what.to_owned());
        }
        let from_stdin = self
            .program
            .files
            .iter()
            .filter(|file| *file == Path::new("-"));
        match (from_stdin.count(), self.rests_on_files()) {
            (0, _) | (1, None) => None,
            (1, Some(option)) => Some(format!(
                "{option} writes a file about files: put the program into one"
            )),
            _ => Some("standard input (-) can be read only once".to_owned()),
        }
    }

    /// An option that was given and writes what names the files of the program.
    fn rests_on_files(&self) -> Option<&'static str> {
        let given = [
            ("--trace", self.show.trace.is_some()),
            ("--evidence", self.evidence.is_some()),
            ("--witness", !self.witness.witness.is_empty()),
            ("--cache", self.cache.is_some()),
        ];
        first_given(&given)
    }

    /// With names of files that tell several properties apart.
    pub fn with_names_by_property(&self, several: bool) -> CheckArgs {
        let mut args = self.clone();
        args.show.by_property |= several;
        args
    }

    /// An option that was given and makes sense for one property only.
    pub fn only_for_one(&self) -> Option<&'static str> {
        first_given(&[
            ("--evidence", self.evidence.is_some()),
            ("--witness", !self.witness.witness.is_empty()),
        ])
    }

    /// An option that was given and makes sense for one program only.
    pub fn only_for_one_program(&self) -> Option<&'static str> {
        let files = [
            ("--trace", self.show.trace.is_some()),
            ("--html", self.show.html.is_some()),
        ];
        first_given(&files).or_else(|| self.only_for_one())
    }
}

fn first_given(options: &[(&'static str, bool)]) -> Option<&'static str> {
    let given = options.iter().find(|(_, is_given)| *is_given);
    given.map(|(name, _)| *name)
}

/// Which answers are failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Unsafe only: the exit status of *unknown* is 0, too
    Unsafe,
    /// Unsafe and unknown
    Unknown,
}

impl FailOn {
    /// The exit code of answers.
    pub fn exit(self, exit: Exit) -> Exit {
        match (self, exit) {
            (FailOn::Unsafe, Exit::Unknown) => Exit::Safe,
            _ => exit,
        }
    }
}
