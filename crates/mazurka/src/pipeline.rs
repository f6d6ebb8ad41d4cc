//! From arguments to a task: read, translate, prepare.

use crate::args::{ProgramArgs, Switch};
use crate::failure::{Exit, Failure};
use crate::input::CompileCommands;
use crate::{input, snippet};
use std::path::Path;
use verdict::{Property, Task};
use xcfa::{ErrorKind, SourceFile, Sources, Span, Xcfa};

/// Reads a property: a short name, or the name of a property file.
pub fn property(text: &str) -> Result<Property, Failure> {
    let path = Path::new(text);
    match text.parse::<Property>() {
        Ok(property) => return Ok(property),
        Err(_) if path.extension().is_some_and(|ending| ending == "prp") || path.is_file() => {}
        Err(error) => return Err(Failure::usage(error.to_string())),
    }
    let content = std::fs::read_to_string(path)
        .map_err(|error| Failure::refused(format!("cannot read {text}: {error}")))?;
    Property::from_prp(&content).map_err(|error| Failure::refused(format!("{text}: {error}")))
}

/// The text of the property file for a property that was given as `text`.
pub fn specification(text: &str, property: Property) -> String {
    let content = std::fs::read_to_string(text).unwrap_or_default();
    let checks = content.lines().map(str::trim);
    let checks: Vec<&str> = checks.filter(|line| line.starts_with("CHECK")).collect();
    match Property::from_prp(&content) {
        Ok(same) if same == property => checks.join("\n"),
        _ => witness::specification(property),
    }
}

/// Reads the files of a program.
pub fn read(program: &ProgramArgs) -> Result<Vec<SourceFile>, Failure> {
    let Some(list) = &program.reading.compile_commands else {
        let files = program.files.iter();
        return files
            .map(|path| input::read(path, &program.reading))
            .collect();
    };
    let commands = CompileCommands::read(list)?;
    let wanted = commands.wanted(&program.files)?;
    let read = wanted.map(|(path, flags)| input::read_with(&path, &program.reading, &flags));
    read.collect()
}

/// Translates a program as it is, before any pass.
pub fn translate(
    files: Vec<SourceFile>,
    program: &ProgramArgs,
    property: Property,
) -> Result<Xcfa, Failure> {
    let options = cfront::LowerOptions {
        overflow_checks: property == Property::Overflow,
        entry: program.reading.entry.clone(),
    };
    let model = program.reading.data_model.into();
    cfront::compile(files, model, &options)
        .map_err(|failure| refusal(&failure.sources, failure.error.span, &failure.error.what))
}

/// Translates a program and makes it ready for the engines.
pub fn task(
    files: Vec<SourceFile>,
    program: &ProgramArgs,
    property: Property,
) -> Result<Task, Failure> {
    let xcfa = translate(files, program, property)?;
    let sources = xcfa.sources.clone();
    let xcfa = passes::prepare(xcfa, &preparation(program, property))
        .map_err(|error| refusal(&sources, error.span, &error.what))?;
    Ok(Task { xcfa, property })
}

/// Translates a program and leaves its steps as they were written, for witnesses.
pub fn full_task(
    files: Vec<SourceFile>,
    program: &ProgramArgs,
    property: Property,
) -> Result<Task, Failure> {
    let xcfa = translate(files, program, property)?;
    let sources = xcfa.sources.clone();
    let options = witness::fine_options(preparation(program, property).checked);
    let xcfa = passes::prepare(xcfa, &options)
        .map_err(|error| refusal(&sources, error.span, &error.what))?;
    Ok(Task { xcfa, property })
}

/// What the passes may do without changing the verdict on this property.
fn preparation(program: &ProgramArgs, property: Property) -> passes::Options {
    let checked = match property {
        Property::Reach => Some(ErrorKind::Reached),
        Property::Overflow => Some(ErrorKind::Overflow),
        Property::Race | Property::Deadlock | Property::MemSafety | Property::Termination => None,
    };
    // Where accesses themselves can be errors, none may be dropped for being of no use.
    let keep_loads = matches!(property, Property::Race | Property::MemSafety);
    passes::Options {
        keep_loads,
        checked,
        large_blocks: program.reading.lbe == Switch::On,
        ..passes::Options::default()
    }
}

fn refusal(sources: &Sources, span: Span, what: &str) -> Failure {
    Failure {
        exit: Exit::Refused,
        message: snippet::at(sources, span, what),
    }
}
