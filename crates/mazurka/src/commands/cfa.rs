//! `mazurka cfa`: the automata of a program.

use crate::args::{CfaArgs, CfaFormat};
use crate::failure::{Exit, Failure};
use crate::{output, pipeline};

/// Runs the command.
pub fn run(args: &CfaArgs) -> Result<Exit, Failure> {
    let property = pipeline::property(&args.property)?;
    let files = pipeline::read(&args.program)?;
    let xcfa = if args.raw {
        pipeline::translate(files, &args.program, property)?
    } else {
        pipeline::task(files, &args.program, property)?.xcfa
    };
    output::print(&match args.format {
        CfaFormat::Text => xcfa.dump(),
        CfaFormat::Dot => xcfa.dot(),
    });
    Ok(Exit::Safe)
}
