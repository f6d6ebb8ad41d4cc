//! Answers a task, and shows progress.

use crate::failure::Failure;
use crate::progress::{self, StatusLine};
use driver::{CheckResult, Plan, Running};
use verdict::{Budget, Task};

/// Does what a plan says.
pub fn solve(task: &Task, plan: &Plan) -> Result<CheckResult, Failure> {
    let outcome = match &plan.engine {
        Some(_) => {
            let shown = progress::shown(&plan.budget);
            driver::check(task, &plan.clone().with_budget(shown))
        }
        None => {
            let mut line = StatusLine::new();
            driver::check_watched(task, plan, &mut |running| {
                line.soon(|| describe(running, &plan.budget));
            })
        }
    };
    outcome.map_err(|bad| Failure::usage(bad.to_string()))
}

/// Which engines run, how far they are, and how much time is left.
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
