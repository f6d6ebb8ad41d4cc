//! An execution in terms of its source: which thread does what, where, and with which inputs.

use crate::AnnotatedProgram;
use crate::search::waiting;
use expr::Sort;
use semantics::{Access, Choice, Host, Open, Outcome, State, Step, Tid, Trace, Violation};
use xcfa::{EdgeId, HavocOrigin, Label, Span};

/// What a reader of the text needs to know about a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A thread is started.
    Starts {
        /// Its number.
        thread: u32,
        /// Its function.
        function: String,
    },
    /// A function from outside has returned a value.
    Input {
        /// The function.
        function: String,
        /// The value.
        value: String,
        /// Where it is called.
        call: Span,
    },
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedStep {
    /// The thread that moves.
    pub thread: u32,
    /// Along which edge.
    pub edge: EdgeId,
    /// What is remarkable about it.
    pub events: Vec<Event>,
}

/// An execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedTrace {
    /// Its steps; the violation happens in the last ones.
    pub steps: Vec<AnnotatedStep>,
    /// How many of them make the violation: two for a race, none if it is endless, else one. That
    /// of a deadlock is one that cannot be taken.
    pub last: usize,
    /// What goes wrong.
    pub violation: Violation,
}

/// Answers from a list and takes notes.
struct Notes {
    answers: std::vec::IntoIter<u64>,
    inputs: Vec<(String, Span, Sort, u64)>,
    accesses: Vec<Access>,
}

impl Host for Notes {
    const OBSERVES: bool = true;

    /// The execution is a possible one, whatever else is possible.
    fn open(&mut self, _: Open) {}

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = self.answers.next().unwrap_or(0);
        if let Choice::Value(
            sort,
            HavocOrigin::Input(name, call) | HavocOrigin::External(name, call),
        ) = choice
        {
            let value = answer & sort.mask();
            self.inputs.push((name.clone(), *call, sort, value));
        }
        answer
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }
}

impl AnnotatedTrace {
    /// Annotates an execution that has been replayed.
    pub fn of(program: &AnnotatedProgram<'_>, trace: &Trace) -> AnnotatedTrace {
        let mut state = program.machine.initial();
        let mut steps = Vec::new();
        let mut accesses = Vec::new();
        for step in &trace.steps {
            let before = state.clone();
            let (step, seen, moved) = annotate(program, &mut state, step);
            if !moved {
                // The second of two racing steps may wait for the first; both start here.
                state = before;
            }
            accesses.push(seen);
            steps.push(step);
        }
        let last = match trace.violation {
            Violation::DataRace => gather(&mut steps, &accesses),
            Violation::NonTermination if trace.loop_start.is_some() => 0,
            Violation::Deadlock | Violation::NonTermination => {
                let waits = waiting(program, &state).next();
                steps.extend(waits.map(|taken| AnnotatedStep {
                    thread: taken.tid.0,
                    edge: taken.edge,
                    events: Vec::new(),
                }));
                1
            }
            _ => 1,
        };
        AnnotatedTrace {
            steps,
            last,
            violation: trace.violation,
        }
    }

    /// The steps before the violation.
    pub fn way(&self) -> &[AnnotatedStep] {
        &self.steps[..self.steps.len() - self.last.min(self.steps.len())]
    }

    /// The steps of the violation.
    pub fn end(&self) -> &[AnnotatedStep] {
        &self.steps[self.steps.len() - self.last.min(self.steps.len())..]
    }
}

fn annotate(
    program: &AnnotatedProgram<'_>,
    state: &mut State,
    step: &Step,
) -> (AnnotatedStep, Vec<Access>, bool) {
    let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
    let mut notes = Notes {
        answers: step.choices.clone().into_iter(),
        inputs: Vec::new(),
        accesses: Vec::new(),
    };
    let first_new = state.threads.len() as u32;
    let outcome = program.machine.step(state, tid, edge, &mut notes);
    let mut events: Vec<Event> = Vec::new();
    let labels = program.machine.xcfa[edge].labels.iter();
    let started = labels.filter_map(|label| match label {
        Label::Start { proc, .. } => Some(program.machine.xcfa[*proc].function().to_owned()),
        _ => None,
    });
    for (offset, function) in started.enumerate() {
        let thread = first_new + offset as u32;
        events.push(Event::Starts { thread, function });
    }
    for (function, call, sort, bits) in notes.inputs {
        let value = program.input_value(&function, sort, bits);
        // A variable that is set outside is an input as well, but no call returns it.
        if let Some(value) = value.filter(|_| program.is_call(call)) {
            events.push(Event::Input {
                function,
                value,
                call,
            });
        }
    }
    let step = AnnotatedStep {
        thread: step.thread,
        edge,
        events,
    };
    (
        step,
        notes.accesses,
        matches!(outcome, Outcome::Moved { .. }),
    )
}

/// Puts the earlier one of two racing steps next to the last one, which it races with.
fn gather(steps: &mut Vec<AnnotatedStep>, accesses: &[Vec<Access>]) -> usize {
    let Some(last) = accesses.last() else {
        return 0;
    };
    let races = |earlier: &Vec<Access>| {
        let mut pairs = earlier
            .iter()
            .flat_map(|a| last.iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| a.conflicts(b))
    };
    let at = accesses[..accesses.len() - 1].iter().rposition(races);
    if let Some(at) = at.filter(|at| at + 2 < steps.len()) {
        // It stays where it is, too: what follows may depend on it.
        let again = steps[at].clone();
        steps.insert(steps.len() - 1, again);
    }
    2.min(steps.len())
}
