//! An execution told by its source: who does what, where, and with which inputs.

use crate::Scene;
use crate::search::waiting;
use expr::Sort;
use semantics::{Access, Choice, Host, Outcome, State, Step, Tid, Trace, Violation};
use xcfa::{EdgeId, HavocOrigin, Label, Span};

/// Something that a reader of the text would want to know about a step.
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
pub struct Moment {
    /// Who moves.
    pub thread: u32,
    /// Along which edge.
    pub edge: EdgeId,
    /// What is remarkable about it.
    pub events: Vec<Event>,
}

/// An execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its steps; the violation happens in the last ones.
    pub moments: Vec<Moment>,
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

impl Story {
    /// Tells an execution that has been replayed on the scene's program.
    pub fn tell(scene: &Scene<'_>, trace: &Trace) -> Story {
        let mut state = scene.machine.initial();
        let mut moments = Vec::new();
        let mut accesses = Vec::new();
        for step in &trace.steps {
            let before = state.clone();
            let (moment, seen, moved) = moment(scene, &mut state, step);
            if !moved {
                // The second of two racing steps may wait for the first; both start here.
                state = before;
            }
            accesses.push(seen);
            moments.push(moment);
        }
        let last = match trace.violation {
            Violation::DataRace => gather(&mut moments, &accesses),
            Violation::NonTermination if trace.loop_start.is_some() => 0,
            Violation::Deadlock | Violation::NonTermination => {
                let waits = waiting(scene, &state).next();
                moments.extend(waits.map(|taken| Moment {
                    thread: taken.tid.0,
                    edge: taken.edge,
                    events: Vec::new(),
                }));
                1
            }
            _ => 1,
        };
        Story {
            moments,
            last,
            violation: trace.violation,
        }
    }

    /// The steps before the violation.
    pub fn way(&self) -> &[Moment] {
        &self.moments[..self.moments.len() - self.last.min(self.moments.len())]
    }

    /// The steps of the violation.
    pub fn end(&self) -> &[Moment] {
        &self.moments[self.moments.len() - self.last.min(self.moments.len())..]
    }
}

fn moment(scene: &Scene<'_>, state: &mut State, step: &Step) -> (Moment, Vec<Access>, bool) {
    let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
    let mut notes = Notes {
        answers: step.choices.clone().into_iter(),
        inputs: Vec::new(),
        accesses: Vec::new(),
    };
    let first_new = state.threads.len() as u32;
    let outcome = scene.machine.step(state, tid, edge, &mut notes);
    let mut events: Vec<Event> = Vec::new();
    let labels = scene.machine.xcfa[edge].labels.iter();
    let started = labels.filter_map(|label| match label {
        Label::Start { proc, .. } => Some(scene.machine.xcfa[*proc].function().to_owned()),
        _ => None,
    });
    for (offset, function) in started.enumerate() {
        let thread = first_new + offset as u32;
        events.push(Event::Starts { thread, function });
    }
    for (function, call, sort, bits) in notes.inputs {
        let value = scene.input_value(&function, sort, bits);
        // A variable that is set outside is an input as well, but nobody returns it.
        if let Some(value) = value.filter(|_| scene.is_call(call)) {
            events.push(Event::Input {
                function,
                value,
                call,
            });
        }
    }
    let moment = Moment {
        thread: step.thread,
        edge,
        events,
    };
    (
        moment,
        notes.accesses,
        matches!(outcome, Outcome::Moved { .. }),
    )
}

/// Puts the earlier one of two racing steps next to the last one, which it races with.
fn gather(moments: &mut Vec<Moment>, accesses: &[Vec<Access>]) -> usize {
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
    if let Some(at) = at.filter(|at| at + 2 < moments.len()) {
        // It stays where it is, too: what follows may depend on it.
        let again = moments[at].clone();
        moments.insert(moments.len() - 1, again);
    }
    2.min(moments.len())
}
