//! From a path and its inputs to an execution of the program.

use crate::{Action, Program};
use expr::VarId;
use rustc_hash::FxHashMap;
use semantics::{Choice, Host, Machine, Outcome, Property, Step, Tid, Trace, Violation};
use std::collections::VecDeque;
use xcfa::{HavocOrigin, Label, Xcfa};

/// A thread of a run: its number in the program and, if that is a template, which one it is.
pub type Actor = (usize, u32);

/// A step of a path.
pub struct PathStep<'a> {
    /// What is done.
    pub action: &'a Action,
    /// Who does it.
    pub actor: Actor,
    /// Whom it starts.
    pub started: &'a [Actor],
    /// The values of its inputs.
    pub inputs: &'a [u64],
}

/// Runs a path in the program that `program` was made from up to a violation; nothing if the
/// machine cannot follow.
pub fn trace<'a>(
    program: &Program,
    xcfa: &Xcfa,
    property: Property,
    path: impl Iterator<Item = PathStep<'a>>,
) -> Option<Trace> {
    let (steps, violation) = follow(program, xcfa, property, path, 0)?;
    Some(Trace {
        violation: violation?,
        steps,
        loop_start: None,
    })
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
            next: 0,
            values: symbols.zip(step.inputs.iter().copied()).collect(),
            wakes,
            given: Vec::new(),
        };
        let edge = unrolled.origin[action.edge.0 as usize];
        let outcome = machine.step(&mut state, tid, edge, &mut answers);
        let new = state.tids().skip(tids.len());
        tids.extend(step.started.iter().copied().zip(new));
        steps.push(Step {
            thread: tid.0,
            edge: edge.0,
            choices: answers.given,
        });
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
    /// The next label that may have been asked about.
    next: usize,
    /// By variable that receives it: what is left of the inputs.
    values: VecDeque<(VarId, u64)>,
    /// Who is woken.
    wakes: u64,
    given: Vec<u64>,
}

impl Answers<'_> {
    fn value(&mut self, asked: &HavocOrigin) -> u64 {
        while let Some(label) = self.labels.get(self.next) {
            self.next += 1;
            let (var, fits) = match label {
                Label::Havoc { var, origin } => (*var, origin == asked),
                // A load asks only if nobody has set what it reads.
                Label::Load { var, .. } => (*var, *asked == HavocOrigin::Uninitialised),
                _ => continue,
            };
            if fits {
                return self.take(var);
            }
            if matches!(label, Label::Havoc { .. }) {
                self.take(var);
            }
        }
        0
    }

    fn take(&mut self, var: VarId) -> u64 {
        let at = self.values.iter().position(|(known, _)| *known == var);
        at.and_then(|at| self.values.remove(at))
            .map_or(0, |(_, value)| value)
    }
}

impl Host for Answers<'_> {
    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = match choice {
            Choice::Waiter(count) => self.wakes.min(count as u64 - 1),
            Choice::Value(sort, asked) => self.value(asked) & sort.mask(),
        };
        self.given.push(answer);
        answer
    }
}
