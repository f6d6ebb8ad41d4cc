//! `mazurka cfa`: the automata of a program.

use crate::args::{CfaArgs, CfaFormat};
use crate::failure::{Exit, Failure};
use crate::{output, pipeline};
use verdict::Task;

/// Runs the command.
pub fn run(args: &CfaArgs) -> Result<Exit, Failure> {
    let property = pipeline::property(&args.property, &args.program.reading.entry)?;
    let program = pipeline::read(&args.program)?;
    let xcfa = match args.raw {
        true => program.translate(property)?.into(),
        false => Task::prepare(&program, property)?.xcfa,
    };
    output::print(&match args.format {
        CfaFormat::Text => xcfa.dump(),
        CfaFormat::Dot => xcfa.dot(),
    });
    Ok(Exit::Safe)
}
