//! Does an execution obey a witness?

use crate::annotated_program::AnnotatedProgram;
use crate::automaton::Automaton;
use crate::condition::Value;
use crate::position::{Position, Taken};
use crate::search::waiting;
use semantics::{Choice, Host, Open, Outcome, State, Step, Tid, Trace, Violation};
use xcfa::{EdgeId, HavocOrigin};

/// Answers from a list, and remembers what functions from outside have returned.
struct Answers<'s, 'a> {
    program: &'s AnnotatedProgram<'a>,
    answers: std::vec::IntoIter<u64>,
    returned: Vec<Value>,
}

impl Host for Answers<'_, '_> {
    /// The execution is a possible one, whatever else is possible.
    fn open(&mut self, _: Open) {}

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = self.answers.next().unwrap_or(0);
        if let Choice::Value(sort, HavocOrigin::Input(name, _) | HavocOrigin::External(name, _)) =
            choice
        {
            let value = self.program.returned_value(name, sort, answer);
            self.returned.push(value);
        }
        answer
    }
}

/// Is this execution, which has been replayed on the annotated program, one that a witness describes?
pub fn obeys(program: &AnnotatedProgram<'_>, automaton: &Automaton, trace: &Trace) -> bool {
    let last = match trace.violation {
        Violation::DataRace => 2,
        Violation::Deadlock | Violation::NonTermination => 0,
        _ => 1,
    };
    let Some(before) = trace.steps.len().checked_sub(last) else {
        return false;
    };
    let mut state = program.machine.initial();
    let mut position = Position::start(automaton);
    for step in &trace.steps[..before] {
        let (next, after) = match follow(program, automaton, &position, &state, step) {
            Some(next) => next,
            None => return false,
        };
        (position, state) = (next, after);
    }
    if last == 0 {
        return waiting(program, &state).any(|taken| {
            let last = std::slice::from_ref(&taken);
            position.accepts(program, automaton, last)
        });
    }
    let ends: Vec<(Step, State, Vec<Value>)> = trace.steps[before..]
        .iter()
        .map(|step| {
            let (after, returned, _) = take(program, &state, step);
            (step.clone(), after, returned)
        })
        .collect();
    let taken: Vec<Taken<'_>> = ends
        .iter()
        .map(|(step, after, inputs)| Taken {
            tid: Tid(step.thread),
            edge: EdgeId(step.edge),
            before: &state,
            after: (last == 2).then_some(after),
            inputs,
        })
        .collect();
    position.accepts(program, automaton, &taken)
}

fn follow(
    program: &AnnotatedProgram<'_>,
    automaton: &Automaton,
    position: &Position,
    state: &State,
    step: &Step,
) -> Option<(Position, State)> {
    let (after, inputs, outcome) = take(program, state, step);
    let Outcome::Moved { .. } = outcome else {
        return None;
    };
    let taken = Taken {
        tid: Tid(step.thread),
        edge: EdgeId(step.edge),
        before: state,
        after: Some(&after),
        inputs: &inputs,
    };
    let next = position.advance(program, automaton, taken)?;
    Some((next, after))
}

fn take(
    program: &AnnotatedProgram<'_>,
    state: &State,
    step: &Step,
) -> (State, Vec<Value>, Outcome) {
    let mut after = state.clone();
    let mut answers = Answers {
        program,
        answers: step.choices.clone().into_iter(),
        returned: Vec::new(),
    };
    let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
    let outcome = program.machine.step(&mut after, tid, edge, &mut answers);
    (after, answers.returned, outcome)
}
