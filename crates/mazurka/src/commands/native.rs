//! `mazurka replay --native`: the failing schedule as C that gcc compiles.

use crate::args::{Model, ProgramArgs, ReplayArgs};
use crate::failure::{Exit, Failure};
use crate::output;
use native::{Data, Expectation, Unit};
use std::path::{Path, PathBuf};
use std::time::Duration;
use verdict::{Program, Task, Trace};

/// A program that has not failed after this time has not followed its schedule, or hangs.
const PATIENCE: Duration = Duration::from_secs(30);
/// A program that should hang is given this long to do anything else.
const UNTIL_IT_HANGS: Duration = Duration::from_secs(4);

/// Writes the program with its schedule, and runs it if that is wanted.
pub fn write(
    args: &ReplayArgs,
    program: &ProgramArgs,
    read: &Program,
    task: &Task,
    trace: &Trace,
) -> Result<Exit, Failure> {
    let reading = &program.reading;
    if reading.entry != "main" {
        let what = "a native program starts with `main`, and this trace with another function";
        return Err(Failure::refused(what));
    }
    let typed = cfront::parse_program(read.files().to_vec(), read.model());
    let typed = typed.map_err(|failure| Failure::refused(failure.error.what))?;
    let units = native::reproduce(&task.xcfa, &typed, trace);
    let target = args.output.as_deref().unwrap_or(Path::new("repro.c"));
    let expectation = Expectation::of(trace.violation);
    let written = save(&units, target)?;
    output::print(&how_to_build(&written, expectation, program));
    match args.run {
        true => run(&units, expectation, program),
        false => Ok(Exit::Unsafe),
    }
}

/// Writes one file, or a folder of them.
fn save(units: &[Unit], target: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot =
        |path: &Path, error| Failure::refused(format!("cannot write {}: {error}", path.display()));
    if let [unit] = units {
        std::fs::write(target, &unit.text).map_err(|error| cannot(target, error))?;
        return Ok(vec![target.to_owned()]);
    }
    std::fs::create_dir_all(target).map_err(|error| cannot(target, error))?;
    let mut written = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let stem = Path::new(&unit.from).file_stem().unwrap_or_default();
        let path = target.join(format!("{number}-{}.c", stem.display()));
        std::fs::write(&path, &unit.text).map_err(|error| cannot(&path, error))?;
        written.push(path);
    }
    Ok(written)
}

fn how_to_build(files: &[PathBuf], expectation: Expectation, program: &ProgramArgs) -> String {
    let mut command = "gcc -w -pthread".to_owned();
    if program.reading.data_model == Model::Ilp32 && expectation != Expectation::Races {
        command += " -m32";
    }
    for option in expectation.compiler_options() {
        command += &format!(" {option}");
    }
    for file in files {
        command += &format!(" {}", file.display());
    }
    format!("written; to see it fail natively:\n  {command} -o repro && ./repro\n")
}

fn run(units: &[Unit], expectation: Expectation, program: &ProgramArgs) -> Result<Exit, Failure> {
    let cannot = |error| Failure::refused(format!("cannot run it: {error}"));
    let data = match program.reading.data_model {
        Model::Ilp32 => Data::Narrow,
        Model::Lp64 => Data::Wide,
    };
    let built = native::build(units, expectation, data).map_err(cannot)?;
    let built =
        built.map_err(|said| Failure::refused(format!("gcc does not build it:\n{said}")))?;
    let patience = match expectation {
        Expectation::Hangs => UNTIL_IT_HANGS,
        _ => PATIENCE,
    };
    match native::observe(&built, patience).map_err(cannot)? {
        Ok(()) => {
            output::print("it fails natively, as predicted\n");
            Ok(Exit::Unsafe)
        }
        Err(instead) => {
            output::print(&format!("it does not fail natively: {instead}\n"));
            Ok(Exit::Unknown)
        }
    }
}
