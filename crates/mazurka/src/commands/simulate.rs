//! `mazurka simulate`: random schedules. It finds bugs and never says *safe*.

use super::check::{budget, show};
use crate::args::{Format, SimulateArgs};
use crate::failure::{Exit, Failure};
use crate::output::{self, grouped};
use crate::pipeline;
use crate::report::Report;

/// Runs the command.
pub fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let budget = budget(&args.limits);
    let property = pipeline::property(&args.property)?;
    let files = pipeline::read(&args.program)?;
    let task = pipeline::task(files.clone(), &args.program, property)?;
    let answer = explore::simulate(&task, args.seed, args.runs, &budget);
    let report = Report::new(&task, "simulate", budget.elapsed(), answer);
    let exit = show(&report, &args.show, &args.program, &files, &task)?;
    if args.show.format == Format::Text {
        output::print(&format!(
            "\nseed {}, {} runs\n",
            args.seed,
            grouped(args.runs)
        ));
    }
    Ok(exit)
}
