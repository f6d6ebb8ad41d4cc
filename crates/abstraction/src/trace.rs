//! From a path and its inputs to an execution of the program.

use crate::{Action, Program};
use expr::VarId;
use rustc_hash::FxHashMap;
use semantics::{
    Choice, Host, Lost, Machine, Open, Outcome, Property, Step, Tid, Trace, Violation,
};
use xcfa::{Label, Xcfa};

/// A thread of a run: its number in the program and, if that is a template, which one it is.
pub type Actor = (usize, u32);

/// A step of a path.
pub struct PathStep<'a> {
    /// What is done.
    pub action: &'a Action,
    /// The thread that does it.
    pub actor: Actor,
    /// The threads that it starts.
    pub started: &'a [Actor],
    /// The values of [`Action::chosen`].
    pub chosen: &'a [u64],
}

/// Runs a path in the original program up to a violation; why not, if the machine cannot follow.
pub fn trace<'a>(
    program: &Program,
    xcfa: &Xcfa,
    property: Property,
    path: impl Iterator<Item = PathStep<'a>>,
) -> Result<Trace, Lost> {
    let (steps, violation) = follow(program, xcfa, property, path, 0)?;
    let violation = violation.ok_or(Lost::NoExecution)?;
    Ok(Trace::new(violation, steps))
}

/// The steps of a path in the program that `program` was made from, and the violation that they
/// end in, if they do; why not, if the machine cannot follow. A signal wakes the waiting thread with
/// the number `wakes`, or the last one.
///
/// Not in the unrolled program: there a thread may have come to the end of the unrolling.
pub fn follow<'a>(
    program: &Program,
    xcfa: &Xcfa,
    property: Property,
    path: impl Iterator<Item = PathStep<'a>>,
    wakes: u64,
) -> Result<(Vec<Step>, Option<Violation>), Lost> {
    let unrolled = &program.unrolled;
    let machine = Machine::new(xcfa, property);
    let mut state = machine.initial();
    let mut steps = Vec::new();
    let mut tids: FxHashMap<Actor, Tid> = FxHashMap::default();
    tids.insert((0, 0), Tid(0));
    for step in path {
        let action = step.action;
        let tid = *tids.get(&step.actor).ok_or(Lost::NoExecution)?;
        let chosen = action.chosen.iter().zip(step.chosen);
        let chosen: Vec<(VarId, u64)> = chosen.map(|(&(var, _), &value)| (var, value)).collect();
        let mut answers = Answers {
            at: 0,
            planned: planned(&unrolled.xcfa[action.edge].labels, &chosen),
            wakes,
            given: Vec::new(),
        };
        let edge = unrolled.origin[action.edge.0 as usize];
        let outcome = machine.step(&mut state, tid, edge, &mut answers);
        let new = state.tids().skip(tids.len());
        tids.extend(step.started.iter().copied().zip(new));
        steps.push(Step::new(tid.0, edge.0, answers.given));
        match outcome {
            Outcome::Moved { .. } => {}
            Outcome::Violation(violation) => return Ok((steps, Some(violation))),
            Outcome::Beyond(what) => return Err(Lost::Beyond { edge, what }),
            _ => return Err(Lost::NoExecution),
        }
    }
    Ok((steps, None))
}

/// What labels may ask the environment for, by number: a load is a choice only if what it reads was
/// never written. `chosen` holds what they leave in variables, in order.
pub fn planned(labels: &[Label], chosen: &[(VarId, u64)]) -> Vec<(usize, u64)> {
    let mut values = chosen.iter();
    let mut planned = Vec::new();
    for (at, label) in labels.iter().enumerate() {
        if let Label::Havoc { var, .. } | Label::Load { var, .. } = label {
            let value = values.find(|(known, _)| known == var);
            planned.push((at, value.map_or(0, |&(_, value)| value)));
        }
    }
    planned
}

/// Answers the machine with what the path says.
struct Answers {
    /// The label that asks.
    at: usize,
    /// By number of the label.
    planned: Vec<(usize, u64)>,
    /// The thread that is woken.
    wakes: u64,
    given: Vec<u64>,
}

impl Host for Answers {
    /// The execution is a possible one, whatever else is possible.
    fn open(&mut self, _: Open) {}

    fn label(&mut self, index: usize) {
        self.at = index;
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = match choice {
            Choice::Waiter(count) => self.wakes.min(count as u64 - 1),
            Choice::Address(_) => 0,
            Choice::Value(sort, _) => {
                let planned = self.planned.iter().find(|(label, _)| *label == self.at);
                planned.map_or(0, |&(_, value)| value) & sort.mask()
            }
        };
        self.given.push(answer);
        answer
    }
}
