//! Violation witnesses: is there an execution that follows one and violates the property?
//!
//! First the witness leads a search of its own. If that takes too long, the engines search for
//! violations without it, one after the other, and what they find is compared with the witness.

use super::Judgement;
use crate::commands::auto;
use crate::failure::Failure;
use crate::written_program::WrittenProgram;
use driver::Plan;
use semantics::{Machine, replay};
use std::time::Duration;
use verdict::{Budget, Task, Trace, Verdict, confirm};
use witness::{AnnotatedProgram, Document, Found, Hints, Trouble, lift, obeys, search};

/// How long the search follows the witness first.
const ALONE: Duration = Duration::from_secs(5);

/// Looks for an execution that obeys the witness.
pub fn judge(
    document: &Document,
    written: WrittenProgram,
    task: Task,
    plan: Plan,
) -> Result<Judgement, Failure> {
    let budget = &plan.budget;
    let full = Machine::new(&written.task.xcfa, written.task.property);
    let annotated = AnnotatedProgram::new(&full, &written.places, &written.outline);
    let automaton = match document.automaton(&annotated) {
        Ok(automaton) => automaton,
        Err(Trouble::Wrong(why)) => return Ok(Judgement::Rejected(why)),
        Err(Trouble::Beyond(why)) => return Ok(Judgement::Unknown(why)),
    };
    let share = budget.remaining().map_or(ALONE, |left| ALONE.min(left / 3));
    let found = search(
        &annotated,
        &automaton,
        &Hints::default(),
        &budget.at_most(share),
    );
    if let Found::Violation(trace) = found {
        return Ok(confirmed(&written.task, trace));
    }
    if let Found::Nothing {
        untried: None,
        reached: (reached, all),
    } = &found
    {
        let why = format!(
            "no execution that obeys it violates the property ({reached} of {all} nodes are reached)"
        );
        return Ok(Judgement::Rejected(why));
    }
    // One engine at a time, so that the same witness always meets the same executions.
    let half_of_it = || Plan {
        cores: 1,
        budget: budget.at_most(half(budget)),
        ..plan.clone()
    };
    let first = match auto::solve(&task, &half_of_it())?.confirmed.into_verdict() {
        Verdict::Safe(_) => return Ok(Judgement::Rejected("the property holds".into())),
        Verdict::Unknown(reason) => return Ok(Judgement::Unknown(reason.to_string())),
        Verdict::Unsafe(trace) => trace,
    };
    if let Some(judgement) = compare(document, &written, &annotated, &task, &first, budget) {
        return Ok(judgement);
    }
    for engine in OTHERS {
        let outcome = auto::solve(&task, &half_of_it().with_engine(engine))?;
        if let Verdict::Unsafe(trace) = outcome.verdict()
            && let Some(judgement) = compare(document, &written, &annotated, &task, trace, budget)
        {
            return Ok(judgement);
        }
    }
    let why = "the program is wrong, but no execution was found that obeys the witness";
    Ok(Judgement::Unknown(why.into()))
}

/// Engines that find other executions than the first one that answered.
const OTHERS: [&str; 4] = ["bmc", "fusion", "explore", "cegar"];

fn half(budget: &Budget) -> Duration {
    let left = budget.remaining();
    left.map_or(Duration::from_secs(60), |left| left / 2)
}

/// The execution that an engine has found, if it obeys the witness.
fn compare(
    document: &Document,
    written: &WrittenProgram,
    annotated: &AnnotatedProgram<'_>,
    task: &Task,
    trace: &Trace,
    budget: &Budget,
) -> Option<Judgement> {
    let coarse = Machine::new(&task.xcfa, task.property);
    if let Some(lifted) = lift(&coarse, trace, annotated, &budget.at_most(ALONE))
        && replay(annotated.machine, &lifted).is_ok()
    {
        let automaton = document.automaton(annotated).ok()?;
        return obeys(annotated, &automaton, &lifted).then(|| confirmed(&written.task, lifted));
    }
    let short = AnnotatedProgram::new(&coarse, &written.places, &written.outline);
    let automaton = document.automaton(&short).ok()?;
    obeys(&short, &automaton, trace).then(|| confirmed(task, trace.clone()))
}

/// The last gate: the violation is replayed.
fn confirmed(task: &Task, trace: Trace) -> Judgement {
    match confirm(task, Verdict::Unsafe(trace)) {
        Verdict::Unsafe(trace) => Judgement::Violation(Box::new(task.clone()), trace),
        Verdict::Unknown(reason) => Judgement::Unknown(reason.to_string()),
        Verdict::Safe(_) => Judgement::Unknown("nothing was found".into()),
    }
}
