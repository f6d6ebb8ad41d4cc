//! What happens in a trace, as far as a native run has to repeat it.

use semantics::{Access, Choice, Host, Machine, Open, Outcome, Tid, Trace};
use xcfa::{EdgeId, HavocOrigin, Label, Span};

/// One step.
#[derive(Clone, Debug)]
pub struct Event {
    pub thread: u32,
    pub edge: EdgeId,
    /// The expression behind it.
    pub span: Span,
    /// Can others see it at all?
    pub visible: bool,
    /// Does it write something that others see?
    pub writes: bool,
    /// The number of the thread that it starts.
    pub starts: Option<u32>,
    pub waiting: Waiting,
    /// Does the thread end with it?
    pub ends: bool,
    /// Values from outside, with the call that brings them.
    pub inputs: Vec<(Span, u64)>,
}

/// What a step has to do with a condition variable, or with a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    No,
    /// Until something holds that other threads bring about.
    Awaits,
    Begins,
    Woken,
    TimedOut,
}

/// Runs the trace and writes down what happens.
pub fn observe(machine: &Machine<'_>, trace: &Trace) -> Vec<Event> {
    let mut state = machine.initial();
    let mut threads = 1;
    let mut events = Vec::new();
    for step in &trace.steps {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let mut host = Recorder::new(&step.choices);
        let before = state.clone();
        let outcome = machine.step(&mut state, tid, edge, &mut host);
        let labels = &machine.xcfa[edge].labels;
        let starts = labels.iter().any(|l| matches!(l, Label::Start { .. }));
        let ended = |label: &Label| matches!(label, Label::ThreadExit(_) | Label::Exit(_));
        events.push(Event {
            thread: step.thread,
            edge,
            span: machine.xcfa[edge].span,
            visible: host.accesses || labels.iter().any(synchronises),
            writes: host.writes,
            starts: starts.then_some(threads),
            waiting: waiting(labels),
            ends: labels.iter().any(ended),
            inputs: host.inputs,
        });
        threads += u32::from(starts);
        // The second access of a race may be blocked by the first; both count.
        if !matches!(outcome, Outcome::Moved { .. }) {
            state = before;
        }
    }
    events
}

fn synchronises(label: &Label) -> bool {
    label.orders_threads() || matches!(label, Label::Free(_))
}

fn waiting(labels: &[Label]) -> Waiting {
    let of = |label: &Label| match label {
        Label::Wait { .. } => Some(Waiting::Begins),
        Label::AwaitSignal { timed: false } => Some(Waiting::Woken),
        Label::AwaitSignal { timed: true } => Some(Waiting::TimedOut),
        Label::Await(_) => Some(Waiting::Awaits),
        _ => None,
    };
    labels.iter().find_map(of).unwrap_or(Waiting::No)
}

/// Answers as the trace says, and remembers which call got which value.
struct Recorder<'a> {
    answers: std::slice::Iter<'a, u64>,
    inputs: Vec<(Span, u64)>,
    accesses: bool,
    writes: bool,
}

impl<'a> Recorder<'a> {
    fn new(answers: &'a [u64]) -> Recorder<'a> {
        Recorder {
            answers: answers.iter(),
            inputs: Vec::new(),
            accesses: false,
            writes: false,
        }
    }
}

impl Host for Recorder<'_> {
    const OBSERVES: bool = true;

    /// The compiled program has a layout of its own; whether it fails there is seen when it runs.
    fn open(&mut self, _: Open) {}

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = self.answers.next().copied().unwrap_or(0);
        match choice {
            Choice::Value(_, HavocOrigin::Input(_, span) | HavocOrigin::External(_, span)) => {
                self.inputs.push((*span, answer));
                answer
            }
            Choice::Value(..) => answer,
            Choice::Waiter(count) | Choice::Address(count) => answer.min(count as u64 - 1),
        }
    }

    fn access(&mut self, access: Access) {
        self.accesses = true;
        self.writes |= access.write;
    }
}
