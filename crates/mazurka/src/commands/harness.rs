//! `mazurka harness`: a driver whose threads call the functions of a library.

use crate::args::HarnessArgs;
use crate::failure::{Exit, Failure};
use crate::{output, pipeline};
use std::path::Path;
use verdict::Harness;

/// Runs the command.
pub fn run(args: &HarnessArgs) -> Result<Exit, Failure> {
    let program = pipeline::read(&args.program)?;
    let specification = match &args.linearizable {
        Some(file) => Some(seen_from(file, args.output.as_deref())?),
        None => None,
    };
    let text = program.harness(&Harness {
        functions: args.functions.clone(),
        init: args.init.clone(),
        threads: args.threads,
        calls: args.calls,
        objects: args.objects,
        values: args.values,
        specification,
    })?;
    match &args.output {
        None => output::print(&text),
        Some(path) => std::fs::write(path, text).map_err(|error| {
            Failure::refused(format!("cannot write {}: {error}", path.display()))
        })?,
    }
    Ok(Exit::Safe)
}

/// A file as the driver includes it: by its name if both are in one folder, else by its whole path.
fn seen_from(file: &Path, driver: Option<&Path>) -> Result<String, Failure> {
    let cannot_read = |error| Failure::refused(format!("cannot read {}: {error}", file.display()));
    let whole = file.canonicalize().map_err(cannot_read)?;
    let folder = driver.and_then(Path::parent).unwrap_or(Path::new(""));
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let folder = folder.canonicalize().map_err(cannot_read)?;
    let path = whole.strip_prefix(&folder).unwrap_or(&whole);
    Ok(path.display().to_string())
}
