//! From arguments to a program and a property.

use crate::args::{ProgramArgs, ReadingArgs};
use crate::failure::Failure;
use std::path::Path;
use verdict::{Program, Property};

/// Asks for every property.
pub const ALL: &str = "all";

/// Reads a property: a short name, or the name of a property file that starts in `entry`.
pub fn property(text: &str, entry: &str) -> Result<Property, Failure> {
    match stated(text)? {
        (property, Some(stated)) if stated != entry => Err(Failure::usage(format!(
            "{text} is about executions that start in `{stated}`, not in `{entry}`: {property} needs --entry {stated}"
        ))),
        (property, _) => Ok(property),
    }
}

/// Everything that is to be checked: one property, several that are separated by commas, or `all` that mean
/// something under the memory model.
pub fn properties(text: &str, entry: &str, is_sc: bool) -> Result<Vec<Property>, Failure> {
    if text == ALL {
        return Ok(Property::all_where(|it| {
            !(is_sc && it.is_about_weak_memory())
        }));
    }
    let mut properties = Vec::new();
    for part in parts(text) {
        let property = property(part, entry)?;
        if is_sc {
            refuse_weak_memory(property)?;
        }
        if !properties.contains(&property) {
            properties.push(property);
        }
    }
    Ok(properties)
}

/// Refuses what is no question under sequential consistency.
pub fn refuse_weak_memory(property: Property) -> Result<(), Failure> {
    match property.is_about_weak_memory() {
        true => Err(Failure::usage(format!(
            "--property {property} asks for executions that are not sequentially consistent, and there are none under \
             `sc`: name another model with `mazurka check --memory-model`"
        ))),
        false => Ok(()),
    }
}

/// The names in a list. A file may have a comma in its name.
fn parts(text: &str) -> Vec<&str> {
    match Path::new(text).is_file() {
        true => vec![text],
        false => text.split(',').map(str::trim).collect(),
    }
}

/// Starts where the property file says, unless the user says otherwise.
pub fn adopt_entry(text: &str, reading: &mut ReadingArgs) -> Result<(), Failure> {
    for part in parts(text).into_iter().filter(|&part| part != ALL) {
        if let (_, Some(stated)) = stated(part)?
            && reading.entry == "main"
        {
            reading.entry = stated;
        }
    }
    Ok(())
}

/// A property, and the function that its property file starts in.
pub fn stated(text: &str) -> Result<(Property, Option<String>), Failure> {
    let path = Path::new(text);
    match text.parse::<Property>() {
        Ok(property) => return Ok((property, None)),
        Err(_) if path.extension().is_some_and(|ending| ending == "prp") || path.is_file() => {}
        Err(error) => return Err(Failure::usage(error.to_string())),
    }
    let content = std::fs::read_to_string(path)
        .map_err(|error| Failure::refused(format!("cannot read {text}: {error}")))?;
    Property::from_prp_with_entry(&content)
        .map(|(property, entry)| (property, Some(entry)))
        .map_err(|error| Failure::refused(format!("{text}: {error}")))
}

/// The text of the property file for a property that was given as `text`.
pub fn specification(text: &str, property: Property) -> String {
    let content = std::fs::read_to_string(text).unwrap_or_default();
    let checks = content.lines().map(str::trim);
    let checks: Vec<&str> = checks.filter(|line| line.starts_with("CHECK")).collect();
    match Property::from_prp_with_entry(&content) {
        Ok((same, _)) if same == property => checks.join("\n"),
        _ => witness::specification(property),
    }
}

/// Reads the files of a program.
pub fn read(program: &ProgramArgs) -> Result<Program, Failure> {
    if program.files.is_empty() && program.reading.compile_commands.is_none() {
        return Err(Failure::usage(
            "name a C file, or --compile-commands FILE.json",
        ));
    }
    if let Some(what) = program.reading.refused() {
        return Err(Failure::usage(what));
    }
    let read = driver::read(&program.files, &(&program.reading).into());
    read.map_err(Failure::from)
}
