//! Correctness witnesses: do the invariants hold, and does the property?
//!
//! The invariants are put into the program as checks, and an engine has to prove that none of them
//! fails. For reachability that proves the property too; any other is proved of the program as it
//! is.

use super::Judgement;
use crate::args::{CheckArgs, LimitArgs, ProgramArgs};
use crate::commands::auto;
use crate::failure::Failure;
use crate::pipeline;
use crate::stage::Stage;
use verdict::{Budget, Property, Task, Verdict, confirm};
use witness::{Document, Trouble, instrument};
use xcfa::SourceFile;

/// Proves the program with the invariants of a witness as checks.
pub fn judge(
    document: &Document,
    stage: Stage,
    files: Vec<SourceFile>,
    program: ProgramArgs,
    limits: LimitArgs,
    budget: &Budget,
) -> Result<Judgement, Failure> {
    if document.has_node_invariants() {
        let why = "invariants of an automaton's nodes are not looked at";
        return Ok(Judgement::Unknown(why.into()));
    }
    let property = stage.task.property;
    let (checked, checks) = match document {
        Document::Graphml(_) => (Vec::new(), 0),
        Document::Yaml(entries) => {
            match instrument(entries, &files, &stage.places, &stage.outline) {
                Ok(done) => done,
                Err(Trouble::Wrong(why)) => return Ok(Judgement::Rejected(why)),
                Err(Trouble::Beyond(why)) => return Ok(Judgement::Unknown(why)),
            }
        }
    };
    if checks > 0 {
        let task = match pipeline::task(checked, &program, Property::Reach) {
            Ok(task) => task,
            Err(failure) => {
                let first = failure.message.lines().next().unwrap_or("").to_owned();
                return Ok(Judgement::Unknown(format!(
                    "the program with the invariants: {first}"
                )));
            }
        };
        let proved = prove(task, &program, &limits, budget);
        if property == Property::Reach || !matches!(proved, Judgement::Correct) {
            return Ok(proved);
        }
    }
    let task = pipeline::task(files, &program, property)?;
    Ok(prove(task, &program, &limits, budget))
}

fn prove(task: Task, program: &ProgramArgs, limits: &LimitArgs, budget: &Budget) -> Judgement {
    let args = CheckArgs::defaults(program.clone(), task.property.name(), limits.clone());
    let (_, outcome) = auto::solve(&task, &args, budget);
    match confirm(&task, outcome.answer.verdict) {
        Verdict::Safe(_) => Judgement::Correct,
        Verdict::Unsafe(_) => {
            Judgement::Rejected("an invariant fails, or the property does not hold".into())
        }
        Verdict::Unknown(reason) => Judgement::Unknown(reason.to_string()),
    }
}
