//! From C text to a verdict of the reference exploration, for tests.
//!
//! This is the pipeline of the command line without its files, messages and statistics, and with a
//! choice of how much is done to the program before it is explored.

use explore::Config;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use verdict::{Answer, Budget, Property, Task};
use xcfa::{DataModel, ErrorKind, SourceFile, Xcfa};

/// What is done to a program before it is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preparation {
    /// Only what has to be done: function pointers resolved and calls inlined.
    Plain,
    /// All passes but large-block encoding.
    Passes,
    /// Large-block encoding alone.
    LargeBlocks,
    /// Everything, as for users.
    Full,
}

impl Preparation {
    /// All of them.
    pub const ALL: [Preparation; 4] = [
        Preparation::Plain,
        Preparation::Passes,
        Preparation::LargeBlocks,
        Preparation::Full,
    ];

    fn options(self, property: Property) -> passes::Options {
        passes::Options {
            optimise: matches!(self, Preparation::Passes | Preparation::Full),
            large_blocks: matches!(self, Preparation::LargeBlocks | Preparation::Full),
            keep_loads: matches!(property, Property::Race | Property::MemSafety),
            checked: match property {
                Property::Reach => Some(ErrorKind::Reached),
                Property::Overflow => Some(ErrorKind::Overflow),
                _ => None,
            },
        }
    }
}

/// Runs the system's preprocessor on a file.
pub fn preprocess(path: &Path) -> Result<SourceFile, String> {
    let output = Command::new("cc")
        .args(["-E", "-std=gnu11"])
        .arg(path)
        .output()
        .map_err(|error| format!("cannot run cc: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    Ok(SourceFile::new(path.display().to_string(), text))
}

/// Translates a program for a property, before any pass; an error names its place.
pub fn translate(file: SourceFile, property: Property) -> Result<Xcfa, String> {
    let options = cfront::LowerOptions {
        overflow_checks: property == Property::Overflow,
        entry: "main".into(),
    };
    cfront::compile(vec![file], DataModel::Lp64, &options).map_err(|failure| {
        let place = failure.sources.place(failure.error.span);
        format!("{place}: {}", failure.error.what)
    })
}

/// A program as engines get it, with all passes; an error names its place.
pub fn task(file: SourceFile, property: Property) -> Result<Task, String> {
    prepared(file, property, Preparation::Full)
}

/// A program prepared in one of several ways; an error names its place.
pub fn prepared(
    file: SourceFile,
    property: Property,
    preparation: Preparation,
) -> Result<Task, String> {
    let xcfa = translate(file, property)?;
    let sources = xcfa.sources.clone();
    let xcfa = passes::prepare(xcfa, &preparation.options(property))
        .map_err(|error| format!("{}: {}", sources.place(error.span), error.what))?;
    Ok(Task { xcfa, property })
}

/// Explores a program within a time limit.
pub fn check(
    file: SourceFile,
    property: Property,
    preparation: Preparation,
    timeout: Duration,
) -> Result<Answer, String> {
    let task = prepared(file, property, preparation)?;
    let budget = Budget::unlimited().with_timeout(timeout);
    Ok(explore::check(
        &task,
        &Config::default(),
        &budget,
        &mut |_| {},
    ))
}
