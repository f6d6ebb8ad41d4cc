//! `mazurka lab`: experiments of papers, as tables.

mod fusion;
mod horn;
mod matching;
mod peephole;

use crate::args::{Experiment, LabArgs, Model, ProgramArgs, ReadingArgs};
use crate::failure::{Exit, Failure};
use crate::pipeline;
use std::path::Path;
use verdict::{Property, Task};

/// Runs the command.
pub fn run(args: &LabArgs) -> Result<Exit, Failure> {
    match args.experiment {
        Experiment::Fusion => fusion::run(args),
        Experiment::Horn => horn::run(args),
        Experiment::Matching => matching::run(args),
        Experiment::Peephole => peephole::run(args),
    }
}

/// Is the row of this name asked for?
fn wanted(args: &LabArgs, name: &str) -> bool {
    let filter = args.filter.as_deref();
    filter.is_none_or(|text| name.contains(text))
}

/// A program of an experiment, ready to be checked for errors.
fn task(args: &LabArgs, experiment: &str, file: &str, define: &[String]) -> Result<Task, Failure> {
    task_for(args, experiment, file, define, Property::Reach)
}

/// A program of an experiment, ready to be checked.
fn task_for(
    args: &LabArgs,
    experiment: &str,
    file: &str,
    define: &[String],
    property: Property,
) -> Result<Task, Failure> {
    let usual = Path::new("bench").join(experiment);
    let folder = args.folder.clone().unwrap_or(usual);
    let program = ProgramArgs {
        files: vec![folder.join(file)],
        reading: ReadingArgs {
            data_model: Model::Lp64,
            include: Vec::new(),
            define: define.to_vec(),
            lbe: crate::args::Switch::On,
            entry: "main".into(),
            compile_commands: None,
        },
    };
    let files = pipeline::read(&program)?;
    pipeline::task(files, &program, property)
}
