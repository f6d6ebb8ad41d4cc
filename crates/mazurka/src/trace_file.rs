//! The file that `check --trace` writes and `replay` reads: a counterexample with everything
//! that it takes to build the same automata again.

use crate::args::{Model, ProgramArgs, ReadingArgs, Switch};
use crate::failure::Failure;
use crate::input::digest;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use verdict::{Property, Trace};
use xcfa::SourceFile;

/// Tells our files from other JSON.
const FORMAT: &str = "mazurka-trace";
/// Steps name edges by number, so a file is good only for the version that wrote it.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The content of the file.
#[derive(Debug, Serialize, Deserialize)]
pub struct TraceFile {
    format: String,
    version: String,
    files: Vec<PathBuf>,
    digest: String,
    options: Options,
    /// What was checked.
    pub property: Property,
    /// The steps, and what goes wrong at their end.
    pub trace: Trace,
}

#[derive(Debug, Serialize, Deserialize)]
struct Options {
    data_model: String,
    include: Vec<PathBuf>,
    define: Vec<String>,
    large_blocks: bool,
}

impl TraceFile {
    /// A counterexample of a program whose text is `sources`.
    pub fn new(
        program: &ProgramArgs,
        sources: &[SourceFile],
        property: Property,
        trace: Trace,
    ) -> TraceFile {
        let reading = &program.reading;
        let data_model = match reading.data_model {
            Model::Ilp32 => "ilp32",
            Model::Lp64 => "lp64",
        };
        TraceFile {
            format: FORMAT.into(),
            version: VERSION.into(),
            files: program.files.clone(),
            digest: digest(sources),
            options: Options {
                data_model: data_model.into(),
                include: reading.include.clone(),
                define: reading.define.clone(),
                large_blocks: reading.lbe == Switch::On,
            },
            property,
            trace,
        }
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::from);
        text.and_then(|text| std::fs::write(path, text + "\n"))
            .map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<TraceFile, Failure> {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::refused(format!("cannot read {name}: {error}")))?;
        let file: TraceFile = serde_json::from_str(&text)
            .map_err(|error| Failure::refused(format!("{name} is not a trace: {error}")))?;
        if file.format != FORMAT {
            return Err(Failure::refused(format!(
                "{name} is not a trace of mazurka"
            )));
        }
        if file.version != VERSION {
            let written = format!("{name} was written by version {}", file.version);
            return Err(Failure::refused(format!("{written}, this is {VERSION}")));
        }
        Ok(file)
    }

    /// The arguments that the program was read with; `moved` replaces the files if not empty.
    pub fn program(&self, moved: &[PathBuf]) -> Result<ProgramArgs, Failure> {
        let data_model = match self.options.data_model.as_str() {
            "ilp32" => Model::Ilp32,
            "lp64" => Model::Lp64,
            other => return Err(Failure::refused(format!("unknown data model `{other}`"))),
        };
        let files = if moved.is_empty() {
            self.files.clone()
        } else {
            moved.to_vec()
        };
        let (include, define) = (self.options.include.clone(), self.options.define.clone());
        let reading = ReadingArgs {
            data_model,
            include,
            define,
            lbe: self.options.large_blocks.into(),
        };
        Ok(ProgramArgs { files, reading })
    }

    /// Is this still the program that the trace was found in?
    pub fn check_unchanged(&self, sources: &[SourceFile]) -> Result<(), Failure> {
        if digest(sources) == self.digest {
            return Ok(());
        }
        Err(Failure::refused(
            "the program has changed since this trace was written",
        ))
    }
}
