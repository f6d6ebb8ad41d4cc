//! Runs an automaton under a schedule and writes down what happens.

use semantics::{Choice, Host, Machine, Open, Outcome, Property, State, Tid};

/// Answers from a list, and 0 after it.
struct Answers(Vec<u64>);

impl Host for Answers {
    /// Tests of what is open look at the host of the library.
    fn open(&mut self, _: Open) {}

    fn choose(&mut self, _: Choice<'_>) -> u64 {
        match self.0.is_empty() {
            true => 0,
            false => self.0.remove(0),
        }
    }
}

/// A schedule: by step the thread that moves, with the answers of its host as in `1?7`. Where a
/// location has several edges, the first that is not cut is taken.
pub fn run(text: &str, schedule: &str) -> String {
    run_for(Property::Reach, text, schedule)
}

/// The same, for another property than reachability.
pub fn run_for(property: Property, text: &str, schedule: &str) -> String {
    let xcfa = automata::parse(text);
    let machine = Machine::new(&xcfa, property);
    let mut state = machine.initial();
    let mut out = show(&machine, &state, "start");
    for word in schedule.split_whitespace() {
        let mut parts = word.split('?');
        let thread = parts.next().unwrap_or_default().parse().expect("a thread");
        let answers: Vec<u64> = parts.map(|part| part.parse().expect("an answer")).collect();
        let outcome = step(&machine, &mut state, Tid(thread), &answers);
        out += &show(&machine, &state, &format!("{word}: {}", describe(outcome)));
    }
    out
}

fn step(machine: &Machine<'_>, state: &mut State, tid: Tid, answers: &[u64]) -> Outcome {
    let mut last = Outcome::Cut(None);
    if !state.runnable().any(|runnable| runnable == tid) {
        return Outcome::Blocked;
    }
    for &edge in machine.edges(state, tid) {
        let mut next = state.clone();
        let outcome = machine.step(&mut next, tid, edge, &mut Answers(answers.to_vec()));
        match outcome {
            Outcome::Moved { .. } => {
                *state = next;
                return outcome;
            }
            Outcome::Cut(_) => {}
            other => last = other,
        }
    }
    last
}

fn describe(outcome: Outcome) -> String {
    match outcome {
        Outcome::Moved { spurious: false } => "moves".into(),
        Outcome::Moved { spurious: true } => "wakes up by itself".into(),
        Outcome::Blocked => "waits".into(),
        Outcome::Cut(_) => "is cut off".into(),
        Outcome::Violation(violation) => format!("violates: {violation}"),
        Outcome::Beyond(what) => format!("cannot be followed: {what}"),
    }
}

/// One line: what happened, and the global variables.
fn show(machine: &Machine<'_>, state: &State, what: &str) -> String {
    let globals = machine
        .xcfa
        .var_ids()
        .filter(|&var| machine.xcfa.is_global(var));
    let values = globals.map(|var| {
        let value = machine.value(state, Tid(0), var);
        format!("{}={value}", machine.xcfa[var].name)
    });
    let values: Vec<String> = values.collect();
    let ended = if state.ended { " ended" } else { "" };
    format!("{what:<28} {}{ended}", values.join(" "))
        .trim_end()
        .to_owned()
        + "\n"
}
