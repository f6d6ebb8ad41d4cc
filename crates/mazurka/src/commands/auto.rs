//! `--engine auto`: engines in child processes until one has an answer.

use super::check::run_engine;
use crate::args::CheckArgs;
use crate::progress::StatusLine;
use passes::Facts;
use portfolio::{Engine, Outcome, Portfolio, Running};
use verdict::{Answer, Budget, Task};

/// The first confirmed answer, or all the reasons why there is none; and what was tried.
pub fn solve(task: &Task, args: &CheckArgs, budget: &Budget) -> (Facts, Outcome) {
    let facts = Facts::of(&task.xcfa);
    let run = |engine: Engine, budget: &Budget| -> Answer {
        run_engine(engine.into(), task, args, budget)
    };
    let portfolio = Portfolio {
        task,
        facts,
        budget,
        cores: args.cores.map_or_else(two_if_there_are, usize::from),
        memory: args.limits.memory << 20,
        paranoid: args.paranoid,
        run_engine: &run,
    };
    let mut line = StatusLine::new();
    let outcome = portfolio.run(&mut |running| line.soon(|| describe(running, budget)));
    (facts, outcome)
}

fn two_if_there_are() -> usize {
    let cores = std::thread::available_parallelism();
    cores.map_or(1, usize::from).min(2)
}

/// Who is at work, how far they are, and how much time is left.
fn describe(running: &[Running<'_>], budget: &Budget) -> String {
    let each = running.iter().map(|child| {
        let seconds = child.elapsed.as_secs();
        match child.progress {
            "" => format!("{} {seconds} s", child.engine),
            progress => format!("{} {seconds} s: {progress}", child.engine),
        }
    });
    let mut text = each.collect::<Vec<_>>().join("  |  ");
    if let Some(left) = budget.remaining() {
        text += &format!("  |  {} s left", left.as_secs());
    }
    text
}
