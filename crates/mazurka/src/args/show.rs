//! How to show an answer.

use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use verdict::Property;

/// How to show an answer.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// Output format: text for people, one JSON object for programs, or lines for editors
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Only the first line of an answer, with `check --quiet`.
    #[arg(skip)]
    pub quiet: bool,
    /// Do pages and traces have the property in their names, because there are several?
    #[arg(skip)]
    pub by_property: bool,
    /// Add to the files of --sarif and --junit: this is not the first answer of a run.
    #[arg(long, hide = true)]
    pub append: bool,
    /// Show what the engine counted
    #[arg(long)]
    pub stats: bool,
    /// Which lines of a schedule to show
    #[arg(long, value_name = "WHICH", default_value = "relevant")]
    pub schedule: Steps,
    /// Write the counterexample to a file that `mazurka replay` runs again; of several properties, each to a file with its
    /// name, OUT-race.json
    #[arg(long, value_name = "OUT.json")]
    pub trace: Option<PathBuf>,
    /// Write the answer to a page for a browser: the schedule to step through, or the proof; of several
    /// properties, each to a page with its name, OUT-race.html
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
    /// Write the answer for code-scanning pages (SARIF 2.1.0)
    #[arg(long, value_name = "OUT.sarif")]
    pub sarif: Option<PathBuf>,
    /// Write the answer as a test result (JUnit's XML)
    #[arg(long, value_name = "OUT.xml")]
    pub junit: Option<PathBuf>,
    /// The lines that were reached, with --coverage.
    #[arg(skip)]
    pub coverage: Option<PathBuf>,
}

impl ShowArgs {
    /// The files that are to be written.
    pub fn outputs(&self) -> impl Iterator<Item = &PathBuf> {
        let files = [
            &self.trace,
            &self.html,
            &self.sarif,
            &self.junit,
            &self.coverage,
        ];
        files.into_iter().flatten()
    }

    /// The files that are written for each property, if there are several: `bug.html` becomes `bug-race.html`.
    pub fn for_property(&self, property: Property) -> ShowArgs {
        match self.by_property {
            true => ShowArgs {
                trace: self.trace.as_deref().map(|it| named(it, property.name())),
                html: self.html.as_deref().map(|it| named(it, property.name())),
                ..self.clone()
            },
            false => self.clone(),
        }
    }

    /// The files that are written for each finding, for the one with this number: `bug.html` becomes `bug-2.html`.
    pub fn for_finding(&self, number: usize) -> ShowArgs {
        let numbered = |path: &PathBuf| named(path, &number.to_string());
        ShowArgs {
            trace: self.trace.as_ref().map(numbered),
            html: self.html.as_ref().map(numbered),
            sarif: None,
            junit: None,
            coverage: None,
            ..self.clone()
        }
    }
}

/// A file beside another one, with a word more in its name.
fn named(path: &Path, word: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(ending) => format!("{stem}-{word}.{}", ending.to_string_lossy()),
        None => format!("{stem}-{word}"),
    };
    path.with_file_name(name)
}

/// Where colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that shows them
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
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
