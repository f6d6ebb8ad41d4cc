//! What a file says about the program that it belongs to: everything that it takes to build the same
//! automata again.

use crate::args::{EnvironmentKind, Model, ProgramArgs, ReadingArgs};
use crate::digest::digest;
use crate::failure::Failure;
use crate::memory_model::ChosenModel;
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
    texts: Vec<TextOf>,
    options: ReadingArgs,
    /// Which executions are possible.
    #[serde(default)]
    pub memory_model: ChosenModel,
    /// What was checked.
    pub property: Property,
}

/// A file of the program, by its hashes (SHA-256).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TextOf {
    name: String,
    /// As it was written.
    sha256: String,
    /// After preprocessing, with all that it includes.
    preprocessed: String,
}

impl TextOf {
    fn new(file: &SourceFile) -> TextOf {
        let written = file.original(&file.name).unwrap_or(&file.text);
        TextOf {
            name: file.name.clone(),
            sha256: witness::sha256(written.as_bytes()),
            preprocessed: digest(file),
        }
    }
}

/// What a user wants a file to be about; nothing where that does not matter.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    pub property: Option<Property>,
    pub data_model: Option<Model>,
    pub entry: Option<String>,
    pub define: Option<Vec<String>>,
}

/// Said of a program that is not the one that a file is about.
pub const CHANGED: &str = "the program has changed since this was written";

fn model_name(model: Model) -> &'static str {
    match model {
        Model::Ilp32 => "ilp32",
        Model::Lp64 => "lp64",
    }
}

/// A text from a file, so that nobody takes a part of it for words of ours.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_=.-+/@%()".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("{text:?}"),
    }
}

fn list_or_none(list: &[String]) -> String {
    match list.is_empty() {
        true => "none".into(),
        false => list
            .iter()
            .map(|it| quoted(it))
            .collect::<Vec<_>>()
            .join(", "),
    }
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
        About {
            format: F::FORMAT.into(),
            version: VERSION.into(),
            files: program.files.clone(),
            texts: sources.iter().map(TextOf::new).collect(),
            options: program.reading.clone(),
            memory_model: ChosenModel::default(),
            property,
        }
    }

    /// The same under this memory model.
    pub fn under(mut self, model: &ChosenModel) -> About {
        self.memory_model = model.clone();
        self
    }

    /// The arguments that the program was read with; `moved` replaces the files if not empty.
    pub fn program(&self, moved: &[PathBuf]) -> ProgramArgs {
        let files = match moved.is_empty() {
            true => self.files.clone(),
            false => moved.to_vec(),
        };
        let reading = self.options.clone();
        ProgramArgs { files, reading }
    }

    /// Is this still the program that the trace was found in?
    pub fn check_unchanged(&self, sources: &[SourceFile]) -> Result<(), Failure> {
        match self.is_about(sources) {
            true => Ok(()),
            false => Err(Failure::refused(CHANGED)),
        }
    }

    /// Is this the program that it was written about?
    pub fn is_about(&self, sources: &[SourceFile]) -> bool {
        let now = sources.iter().map(TextOf::new);
        now.eq(self.texts.iter().cloned())
    }

    /// The same about files that are called otherwise by now, for users who say which ones they mean.
    pub fn renamed(mut self, sources: &[SourceFile]) -> About {
        for (text, source) in self.texts.iter_mut().zip(sources) {
            text.name.clone_from(&source.name);
        }
        self
    }

    /// What a user wants it to be about and it is not, if there is such a thing.
    pub fn unexpected(&self, wanted: &Expected) -> Option<String> {
        let options = &self.options;
        let differs = |what: &str, here: &str| Some(format!("it is about {what} {here}"));
        if wanted
            .property
            .is_some_and(|property| property != self.property)
        {
            return differs("the property", self.property.name());
        }
        let model = options.data_model;
        if wanted.data_model.is_some_and(|wanted| wanted != model) {
            return differs("the data model", model_name(model));
        }
        if wanted
            .entry
            .as_ref()
            .is_some_and(|entry| *entry != options.entry)
        {
            return differs("the entry", &quoted(&options.entry));
        }
        if wanted
            .define
            .as_ref()
            .is_some_and(|define| *define != options.define)
        {
            return differs("the macros", &list_or_none(&options.define));
        }
        None
    }

    /// What a verdict is about, as text: the files, and how they are read where that is not as usual.
    pub fn described(&self) -> String {
        let options = &self.options;
        let path = |path: &PathBuf| quoted(&path.display().to_string());
        let texts = self.texts.iter().map(|text| quoted(&text.name));
        let mut parts = vec![texts.collect::<Vec<_>>().join(" ")];
        if options.entry != "main" {
            parts.push(format!("entry {}", quoted(&options.entry)));
        }
        let define = options.define.iter();
        parts.extend(define.map(|define| format!("-D{}", quoted(define))));
        let shrink = options.shrink.iter();
        parts.extend(shrink.map(|smaller| format!("--shrink {}", quoted(smaller))));
        let include = options.include.iter();
        parts.extend(include.map(|folder| format!("-I{}", path(folder))));
        let undefine = options.undefine.iter();
        parts.extend(undefine.map(|name| format!("-U{}", quoted(name))));
        let first = options.include_first.iter();
        parts.extend(first.map(|file| format!("-include {}", path(file))));
        let system = options.system_include.iter();
        parts.extend(system.map(|folder| format!("-isystem {}", path(folder))));
        let standard = options.standard.iter();
        parts.extend(standard.map(|name| format!("-std={}", quoted(name))));
        let arguments = options.known_arguments();
        parts.extend(arguments.map(|given| format!("run with `{}`", given.join(" "))));
        if options.environment == EnvironmentKind::Arbitrary {
            parts.push("in an arbitrary environment".to_owned());
        }
        let commands = options.compile_commands.iter();
        parts.extend(commands.map(|list| format!("as {} says", path(list))));
        parts.push(model_name(options.data_model).to_uppercase());
        if self.memory_model.name != "sc" {
            let name = quoted(&self.memory_model.name);
            parts.push(format!("memory model {name}"));
        }
        parts.join(", ")
    }

    /// The same, for programs.
    pub fn value(&self) -> serde_json::Value {
        let ReadingArgs {
            data_model,
            include,
            define,
            entry,
            shrink,
            undefine,
            include_first,
            system_include,
            standard,
            environment,
            compile_commands,
            ..
        } = &self.options;
        serde_json::json!({
            "version": self.version, "property": self.property, "files": self.texts,
            "data_model": data_model, "include": include, "define": define, "entry": entry,
            "compile_commands": compile_commands, "memory_model": self.memory_model.name,
            "arguments": self.options.known_arguments(),
            "environment": environment, "shrink": shrink, "undefine": undefine, "include_first": include_first,
            "system_include": system_include, "standard": standard,
        })
    }
}
