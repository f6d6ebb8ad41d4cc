//! From C text to a verdict of the reference exploration, for tests.

use explore::Config;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use verdict::{Answer, Budget, Preparation, Program, Property, Task};
use xcfa::{SourceFile, Xcfa};

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
    let translated = Program::new(vec![file]).translate(property);
    translated.map_err(|refused| refused.to_string())
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
    let program = Program::new(vec![file]).with_preparation(preparation);
    Task::prepare(&program, property).map_err(|refused| refused.to_string())
}

/// Explores a program within a time limit.
pub fn check(
    file: SourceFile,
    property: Property,
    preparation: Preparation,
    timeout: Duration,
) -> Result<Answer, String> {
    Ok(explored(&prepared(file, property, preparation)?, timeout))
}

/// The answer of the reference exploration, confirmed.
pub fn explored(task: &Task, timeout: Duration) -> Answer {
    let budget = Budget::unlimited().with_timeout(timeout);
    let answer = explore::check(task, &Config::default(), &budget);
    answer.confirm(task).into_answer()
}
