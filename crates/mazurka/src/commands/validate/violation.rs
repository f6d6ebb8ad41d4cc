//! Violation witnesses: is there an execution that obeys one and violates the property?
//!
//! First the witness leads a search of its own. If that takes too long, the engines look for
//! violations by themselves, one after the other, and what they find is compared with the witness.

use super::Judgement;
use crate::args::{CheckArgs, Engine, LimitArgs, ProgramArgs};
use crate::commands::auto;
use crate::commands::check::run_engine;
use crate::failure::Failure;
use crate::stage::Stage;
use semantics::{Machine, replay};
use std::time::Duration;
use verdict::{Budget, Task, Trace, Verdict, confirm};
use witness::{Document, Found, Hints, Scene, Trouble, lift, obeys, search};

/// So long the witness leads at first.
const ALONE: Duration = Duration::from_secs(5);

/// Looks for an execution that obeys the witness.
pub fn judge(
    document: &Document,
    stage: Stage,
    task: Task,
    program: ProgramArgs,
    limits: LimitArgs,
    budget: &Budget,
) -> Result<Judgement, Failure> {
    let full = Machine::new(&stage.task.xcfa, stage.task.property);
    let scene = Scene::new(&full, &stage.places, &stage.outline);
    let automaton = match document.automaton(&scene) {
        Ok(automaton) => automaton,
        Err(Trouble::Wrong(why)) => return Ok(Judgement::Rejected(why)),
        Err(Trouble::Beyond(why)) => return Ok(Judgement::Unknown(why)),
    };
    let share = budget.remaining().map_or(ALONE, |left| ALONE.min(left / 3));
    let found = search(
        &scene,
        &automaton,
        &Hints::default(),
        &budget.at_most(share),
    );
    if let Found::Violation(trace) = found {
        return Ok(confirmed(&stage.task, trace));
    }
    if let Found::Nothing { inputs, reached } = &found
        && inputs.is_empty()
    {
        let (reached, all) = reached;
        let why = format!(
            "no execution that obeys it violates the property ({reached} of {all} nodes are reached)"
        );
        return Ok(Judgement::Rejected(why));
    }
    // One engine at a time, so that the same witness always meets the same executions.
    let args = CheckArgs {
        cores: Some(1),
        ..CheckArgs::defaults(program, stage.task.property.name(), limits)
    };
    let (_, outcome) = auto::solve(&task, &args, &budget.at_most(half(budget)));
    let first = match confirm(&task, outcome.answer.verdict) {
        Verdict::Safe(_) => return Ok(Judgement::Rejected("the property holds".into())),
        Verdict::Unknown(reason) => return Ok(Judgement::Unknown(reason.to_string())),
        Verdict::Unsafe(trace) => trace,
    };
    if let Some(judgement) = compare(document, &stage, &scene, &task, &first, budget) {
        return Ok(judgement);
    }
    for engine in OTHERS {
        let answer = run_engine(engine, &task, &args, &budget.at_most(half(budget)));
        if let Verdict::Unsafe(trace) = confirm(&task, answer.verdict)
            && let Some(judgement) = compare(document, &stage, &scene, &task, &trace, budget)
        {
            return Ok(judgement);
        }
    }
    let why = "the program is wrong, but no execution was found that obeys the witness";
    Ok(Judgement::Unknown(why.into()))
}

/// Engines that find other executions than the first one that answered.
const OTHERS: [Engine; 4] = [Engine::Bmc, Engine::Fusion, Engine::Explore, Engine::Cegar];

/// Half of the time that is left.
fn half(budget: &Budget) -> Duration {
    let left = budget.remaining();
    left.map_or(Duration::from_secs(60), |left| left / 2)
}

/// The execution that an engine has found, if it obeys the witness.
fn compare(
    document: &Document,
    stage: &Stage,
    scene: &Scene<'_>,
    task: &Task,
    trace: &Trace,
    budget: &Budget,
) -> Option<Judgement> {
    let coarse = Machine::new(&task.xcfa, task.property);
    if let Some(lifted) = lift(&coarse, trace, scene, &budget.at_most(ALONE))
        && replay(scene.machine, &lifted).is_ok()
    {
        let automaton = document.automaton(scene).ok()?;
        return obeys(scene, &automaton, &lifted).then(|| confirmed(&stage.task, lifted));
    }
    let short = Scene::new(&coarse, &stage.places, &stage.outline);
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
