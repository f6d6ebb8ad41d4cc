//! From a path and its inputs to an execution of the program.

use crate::{Action, Program};
use expr::VarId;
use rustc_hash::FxHashMap;
use semantics::{Choice, Host, Machine, Outcome, Property, Step, Tid, Trace, Violation};
use std::collections::VecDeque;
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
    /// The values of its inputs.
    pub inputs: &'a [u64],
}

/// Runs a path in the original program up to a violation; `None` if the machine cannot follow.
pub fn trace<'a>(
    program: &Program,
    xcfa: &Xcfa,
    property: Property,
    path: impl Iterator<Item = PathStep<'a>>,
) -> Option<Trace> {
    let (steps, violation) = follow(program, xcfa, property, path, 0)?;
    Some(Trace::new(violation?, steps))
}

/// The steps of a path in the program that `program` was made from, and the violation that they
/// end in, if they do; nothing if the machine cannot follow. A signal wakes the waiting thread with
/// the number `wakes`, or the last one.
///
/// Not in the unrolled program: there a thread may have come to the end of the unrolling.
pub fn follow<'a>(
    program: &Program,
    xcfa: &Xcfa,
    property: Property,
    path: impl Iterator<Item = PathStep<'a>>,
    wakes: u64,
) -> Option<(Vec<Step>, Option<Violation>)> {
    let unrolled = &program.unrolled;
    let machine = Machine::new(xcfa, property);
    let mut state = machine.initial();
    let mut steps = Vec::new();
    let mut tids: FxHashMap<Actor, Tid> = FxHashMap::default();
    tids.insert((0, 0), Tid(0));
    for step in path {
        let action = step.action;
        let tid = *tids.get(&step.actor)?;
        let symbols = action.inputs.iter().map(|input| input.var);
        let mut answers = Answers {
            labels: &unrolled.xcfa[action.edge].labels,
            asked: None,
            values: symbols.zip(step.inputs.iter().copied()).collect(),
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
            Outcome::Violation(violation) => return Some((steps, Some(violation))),
            _ => return None,
        }
    }
    Some((steps, None))
}

/// Answers the machine with the inputs of the path.
struct Answers<'a> {
    labels: &'a [Label],
    /// The variable whose value may be asked for now.
    asked: Option<VarId>,
    /// By variable that receives it: what is left of the inputs.
    values: VecDeque<(VarId, u64)>,
    /// The thread that is woken.
    wakes: u64,
    given: Vec<u64>,
}

impl Answers<'_> {
    fn take(&mut self, var: VarId) -> u64 {
        let at = self.values.iter().position(|(known, _)| *known == var);
        at.and_then(|at| self.values.remove(at))
            .map_or(0, |(_, value)| value)
    }
}

impl Host for Answers<'_> {
    fn label(&mut self, index: usize) {
        self.asked = match self.labels.get(index) {
            Some(Label::Havoc { var, .. } | Label::Load { var, .. }) => Some(*var),
            _ => None,
        };
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = match choice {
            Choice::Waiter(count) => self.wakes.min(count as u64 - 1),
            Choice::Address(_) => 0,
            // A load is a choice only if what it reads was never written.
            Choice::Value(sort, _) => self.asked.map_or(0, |var| self.take(var)) & sort.mask(),
        };
        self.given.push(answer);
        answer
    }
}
