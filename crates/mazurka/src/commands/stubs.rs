//! `mazurka stubs`: a start for functions that are not modelled.

use crate::args::StubsArgs;
use crate::failure::{Exit, Failure};
use crate::{output, pipeline};
use verdict::Property;

/// Runs the command.
pub fn run(args: &StubsArgs) -> Result<Exit, Failure> {
    let program = pipeline::read(&args.program)?;
    let Some(text) = program.stubs(Property::Reach)? else {
        output::print("no stub is needed: every function that is called is defined or known\n");
        return Ok(Exit::Safe);
    };
    match &args.output {
        None => output::print(&text),
        Some(path) => std::fs::write(path, text).map_err(|error| {
            Failure::refused(format!("cannot write {}: {error}", path.display()))
        })?,
    }
    Ok(Exit::Safe)
}
