//! Correctness witnesses: do the invariants hold, and does the property?
//!
//! Law: nothing is confirmed about a program that an engine has not proved as it is, without anything
//! that the witness says. Then the invariants are put into the program as checks, and an engine has to
//! prove that none of them fails. One whose value is undefined in some state does not hold there.

use super::Judgement;
use crate::commands::auto;
use crate::failure::Failure;
use crate::written_program::WrittenProgram;
use driver::Plan;
use verdict::{Budget, MemoryParts, Program, Property, Task, Verdict};
use witness::{Document, Instrumented, Trouble, instrument};

/// Proves the program with the invariants of a witness as checks.
pub fn judge(
    document: &Document,
    written: WrittenProgram,
    program: Program,
    plan: Plan,
) -> Result<Judgement, Failure> {
    if document.has_node_invariants() {
        let why = "invariants of an automaton's nodes are not looked at";
        return Ok(Judgement::Unknown(why.into()));
    }
    let with = match document {
        Document::Graphml(_) => None,
        Document::Yaml(entries) => {
            match instrument(entries, program.files(), &written.places, &written.outline) {
                Ok(with) => Some(with).filter(|with| with.checks > 0),
                Err(Trouble::Wrong(why)) => return Ok(Judgement::Rejected(why)),
                Err(Trouble::Beyond(why)) => return Ok(Judgement::Unknown(why)),
            }
        }
    };
    let task = Task::prepare(&program, written.task.property)?;
    let validation = Validation { program, plan };
    let budget = &validation.plan.budget;
    let Some(with) = with else {
        return validation.prove(task, budget, "the property does not hold");
    };
    // The invariants get the rest of the time.
    let time = budget.remaining().map(|left| left / 2);
    let share = time.map_or(budget.clone(), |time| budget.at_most(time));
    match validation.prove(task, &share, "the property does not hold")? {
        Judgement::Correct => validation.hold(with, written.task.property),
        other => Ok(other),
    }
}

struct Validation {
    program: Program,
    plan: Plan,
}

impl Validation {
    /// Do the invariants of a witness hold?
    fn hold(&self, with: Instrumented, property: Property) -> Result<Judgement, Failure> {
        let budget = &self.plan.budget;
        let reached = match self.checked(&with, Property::Reach) {
            Ok(task) => self.prove(task, budget, "an invariant fails, or is undefined")?,
            Err(judgement) => return Ok(judgement),
        };
        match reached {
            // Of a program with errors of its own it is not known which check has failed.
            Judgement::Rejected(why) if property != Property::Reach => {
                Ok(Judgement::Unknown(format!("{why}, or an error is reached")))
            }
            Judgement::Correct if with.reads_memory => self.reads_what_is_there(&with),
            judgement => Ok(judgement),
        }
    }

    /// Is whatever the invariants read there?
    fn reads_what_is_there(&self, with: &Instrumented) -> Result<Judgement, Failure> {
        let why = "an invariant may read memory that is not there";
        match self.checked(with, Property::MemSafety(MemoryParts::DEREF)) {
            Ok(task) => Ok(match self.prove(task, &self.plan.budget, why)? {
                Judgement::Correct => Judgement::Correct,
                _ => Judgement::Unknown(why.into()),
            }),
            Err(judgement) => Ok(judgement),
        }
    }

    /// The program with the invariants as checks.
    fn checked(&self, with: &Instrumented, property: Property) -> Result<Task, Judgement> {
        let (files, strict) = (with.files.clone(), with.strict.clone());
        let program = self.program.clone().with_files(files, strict);
        Task::prepare(&program, property).map_err(|refused| {
            let what = format!("the program with the invariants: {}", refused.what);
            Judgement::Unknown(what)
        })
    }

    fn prove(&self, task: Task, budget: &Budget, otherwise: &str) -> Result<Judgement, Failure> {
        let plan = self.plan.clone().with_budget(budget.clone());
        let outcome = auto::solve(&task, &plan)?;
        Ok(match outcome.verdict() {
            Verdict::Safe(_) => Judgement::Correct,
            Verdict::Unsafe(_) => Judgement::Rejected(otherwise.into()),
            Verdict::Unknown(reason) => Judgement::Unknown(reason.to_string()),
        })
    }
}
