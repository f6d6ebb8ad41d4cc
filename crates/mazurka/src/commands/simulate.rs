//! `mazurka simulate`: random schedules. It finds bugs and never says *safe*.

use super::check::{budget, give_up, page, show, unread_task};
use crate::args::{Format, SimulateArgs};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::pipeline;
use crate::report::Report;
use crate::watchdog::Watchdog;
use driver::Covered;
use semantics::Reached;
use std::sync::Arc;
use verdict::{Budget, Confirmed, Property, Reason, Task, grouped};

/// Runs the command.
pub fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let budget = budget(&args.limits);
    let property = pipeline::property(&args.property, &args.program.reading.entry)?;
    pipeline::refuse_weak_memory(property)?;
    let memory = args.limits.memory;
    let watchdog = Watchdog::watch(&budget, memory, without_answer(args, property, &budget));
    let program = pipeline::read(&args.program)?;
    let task = Task::prepare(&program, property)?;
    let reached = Arc::new(Reached::new(&task.xcfa));
    let noting = budget.noting(Arc::clone(&reached));
    let config = simulate::Config {
        seed: args.seed,
        runs: Some(args.runs),
        preemptions: None,
    };
    let answer = simulate::check(&task, &config, &noting);
    let confirmed = answer.confirm(&task).shortened(&task);
    let mut report = Report::new(&task, "simulate", budget.elapsed(), confirmed);
    report.covered = Some(Covered::by_runs(&task, &reached));
    let page = page(&report, &args.show, &args.program, &budget);
    let pen = watchdog.pen();
    let exit = show(
        &report,
        &args.show,
        &args.program,
        program.files(),
        &task,
        page,
    )?;
    if args.show.format == Format::Text {
        output::print(&format!(
            "\nseed {}, {} runs\n",
            args.seed,
            grouped(args.runs)
        ));
    }
    pen.lay_down(exit);
    Ok(exit)
}

/// The last words when the limits are met before the work notices.
fn without_answer(
    args: &SimulateArgs,
    property: Property,
    budget: &Budget,
) -> impl FnMut(&Reason) -> Exit + Send + 'static {
    let (args, budget) = (args.clone(), budget.clone());
    let task = unread_task(&args.program, property);
    move |reason| {
        let unknown = Confirmed::unknown(reason.clone());
        let report = Report::new(&task, "simulate", budget.elapsed(), unknown);
        give_up(&report, &args.show, &args.program, &task, &budget)
    }
}
