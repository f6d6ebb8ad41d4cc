//! `mazurka fence`: the weakest memory orders that keep a property.

use super::check::budget;
use crate::args::{FenceArgs, FenceFormat};
use crate::failure::{Exit, Failure};
use crate::fence_report::FenceReport;
use crate::memory_model::ChosenModel;
use crate::progress::StatusLine;
use crate::{output, pipeline};
use ::fence::{Found, Sites, weakest};
use driver::Plan;
use verdict::{Budget, Property, Reason, Task, Verdict};

/// The engine that is asked: the one that knows memory orders.
const ENGINE: &str = "graphs";

/// Runs the command.
pub fn run(args: &FenceArgs) -> Result<Exit, Failure> {
    let memory_model = ChosenModel::read(&args.memory_model)?;
    if memory_model.is_sc() {
        return Err(Failure::usage(
            "under `sc` every memory order is `seq_cst`: name another model with --memory-model",
        ));
    }
    let entry = &args.program.reading.entry;
    let properties = pipeline::properties(&args.property, entry, false)?;
    for &property in &properties {
        refuse(property)?;
    }
    let budget = budget(&args.limits);
    let program = pipeline::read(&args.program)?;
    let program = memory_model.apply(program, ENGINE)?;
    let sites = Sites::of(&program, &properties)?;
    let plan = Plan::default().with_engine(ENGINE);
    let mut status = StatusLine::new();
    let mut asked = 0;
    let mut ask = |task: &Task| {
        asked += 1;
        status.soon(|| format!("question {asked}: {}", task.property));
        ask(task, &plan, &budget.at_most(args.each))
    };
    let outcome = weakest(&sites, args.first.into(), &mut ask);
    drop(status);
    let report = FenceReport {
        model: &memory_model.name,
        properties: &properties,
        sites: &sites,
        outcome: &outcome,
        wall: budget.elapsed(),
    };
    output::print(&match args.format {
        FenceFormat::Text => report.text(),
        FenceFormat::Json => report.json(),
    });
    Ok(match outcome.found {
        Found::Levels { violated: None, .. } => Exit::Safe,
        Found::Open { violated: None, .. } => Exit::Unknown,
        _ => Exit::Unsafe,
    })
}

/// Only what the engine checks can be kept.
fn refuse(property: Property) -> Result<(), Failure> {
    let engine = driver::Registry::standard().find(ENGINE);
    match engine.is_some_and(|engine| engine.about().checks(property)) {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "{property} cannot be kept: {ENGINE}, the engine that knows memory orders, does not check it"
        ))),
    }
}

/// One question. What the engine says has passed the gate.
fn ask(task: &Task, plan: &Plan, budget: &Budget) -> Verdict {
    if let Some(reason) = budget.exceeded(0) {
        return Verdict::Unknown(reason);
    }
    let plan = plan.clone().with_budget(budget.clone());
    match driver::check(task, &plan) {
        Ok(result) => result.confirmed.into_verdict(),
        Err(bad) => Verdict::Unknown(Reason::EngineFault(bad.to_string())),
    }
}
