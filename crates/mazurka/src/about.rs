//! What a file says about the program that it belongs to: everything that it takes to build the same
//! automata again.

use crate::args::{Model, ProgramArgs, ReadingArgs, Switch};
use crate::failure::Failure;
use crate::input::digest;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use verdict::Property;
use xcfa::SourceFile;

/// Edges are named by number, so a file is good only for the version that wrote it.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The beginning of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct About {
    /// Tells our files from other JSON, and from each other.
    format: String,
    version: String,
    files: Vec<PathBuf>,
    digest: String,
    options: Options,
    /// What was checked.
    pub property: Property,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Options {
    data_model: String,
    include: Vec<PathBuf>,
    define: Vec<String>,
    entry: String,
    compile_commands: Option<PathBuf>,
    large_blocks: bool,
}

/// A file that begins like that.
pub trait ProgramFile: Serialize + DeserializeOwned {
    /// The name of the format.
    const FORMAT: &'static str;
    /// What such a file is, with its article.
    const WHAT: &'static str;

    /// Its beginning.
    fn about(&self) -> &About;

    /// Writes the file.
    fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::from);
        text.and_then(|text| std::fs::write(path, text + "\n"))
            .map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
    }

    /// Reads a file.
    fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::refused(format!("cannot read {name}: {error}")))?;
        let file: Self = serde_json::from_str(&text)
            .map_err(|error| Failure::refused(format!("{name} is not {}: {error}", Self::WHAT)))?;
        let about = file.about();
        if about.format != Self::FORMAT {
            let what = format!("{name} is not {} of mazurka", Self::WHAT);
            return Err(Failure::refused(what));
        }
        if about.version != VERSION {
            let written = format!("{name} was written by version {}", about.version);
            return Err(Failure::refused(format!("{written}, this is {VERSION}")));
        }
        Ok(file)
    }
}

impl About {
    /// A program whose text is `sources`.
    pub fn new<F: ProgramFile>(
        program: &ProgramArgs,
        sources: &[SourceFile],
        property: Property,
    ) -> About {
        let reading = &program.reading;
        let data_model = match reading.data_model {
            Model::Ilp32 => "ilp32",
            Model::Lp64 => "lp64",
        };
        About {
            format: F::FORMAT.into(),
            version: VERSION.into(),
            files: program.files.clone(),
            digest: digest(sources),
            options: Options {
                data_model: data_model.into(),
                include: reading.include.clone(),
                define: reading.define.clone(),
                entry: reading.entry.clone(),
                compile_commands: reading.compile_commands.clone(),
                large_blocks: reading.lbe == Switch::On,
            },
            property,
        }
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
            entry: self.options.entry.clone(),
            compile_commands: self.options.compile_commands.clone(),
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
            "the program has changed since this was written",
        ))
    }
}
