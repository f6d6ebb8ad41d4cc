//! All ways in which a step can go, the most promising answers first.

use crate::annotated_program::AnnotatedProgram;
use crate::automaton::Automaton;
use crate::condition::Value;
use crate::position::Position;
use expr::Sort;
use semantics::{Access, Choice, Host, Open, Outcome, State, Step, Tid};
use verdict::Reason;
use xcfa::{EdgeId, HavocOrigin};

/// At most this many answers to one question.
const MOST_ANSWERS: usize = 12;
/// At most this many ways of one step.
const MOST_WAYS: usize = 64;

/// One way in which a step went.
pub struct Way {
    /// The step, with its answers.
    pub step: Step,
    /// What came of it.
    pub outcome: Outcome,
    /// The state afterwards, if it moved.
    pub state: State,
    /// What functions from outside returned.
    pub inputs: Vec<Value>,
    /// What was accessed.
    pub accesses: Vec<Access>,
}

/// Tries steps.
pub struct Ways<'s, 'a> {
    program: &'s AnnotatedProgram<'a>,
    automaton: &'s Automaton,
    /// Values that the program compares with.
    pub inputs: statespace::Inputs,
    /// Values that the witness mentions, and those of the caller.
    hints: Vec<u64>,
    /// Why there may be executions that were not tried, beside inputs.
    untried: Option<Reason>,
}

/// Answers the questions of one step.
struct Dial<'w> {
    program: &'w AnnotatedProgram<'w>,
    inputs: &'w mut statespace::Inputs,
    hints: &'w [u64],
    first: &'w [u64],
    wheels: Vec<(Vec<u64>, usize)>,
    asked: usize,
    returned: Vec<Value>,
    accesses: Vec<Access>,
    /// What was open in any combination.
    open: Option<Open>,
}

impl Host for Dial<'_> {
    const OBSERVES: bool = true;

    fn open(&mut self, open: Open) {
        self.open = Some(open);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        if self.asked == self.wheels.len() {
            let answers = self.answers(choice);
            self.wheels.push((answers, 0));
        }
        let (values, at) = &self.wheels[self.asked];
        let answer = values[*at];
        self.asked += 1;
        if let Choice::Value(sort, HavocOrigin::Input(name, _) | HavocOrigin::External(name, _)) =
            choice
        {
            self.returned
                .push(self.program.returned_value(name, sort, answer));
        }
        answer
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }
}

impl Dial<'_> {
    fn answers(&mut self, choice: Choice<'_>) -> Vec<u64> {
        let usual = self.inputs.values(choice).to_vec();
        let Choice::Value(sort, _) = choice else {
            return usual;
        };
        let hints = self.first.iter().chain(self.hints);
        let hints = hints.map(|bits| bits & sort.mask());
        let hints = hints.filter(|bits| sort != Sort::Bool || *bits <= 1);
        let mut answers = Vec::new();
        for bits in hints.chain(usual) {
            if answers.len() < MOST_ANSWERS && !answers.contains(&bits) {
                answers.push(bits);
            }
        }
        answers
    }

    /// The combination of answers after this one, if there is one.
    fn turn(&mut self) -> bool {
        self.wheels.truncate(self.asked);
        self.asked = 0;
        self.returned.clear();
        self.accesses.clear();
        while let Some((values, at)) = self.wheels.last_mut() {
            *at += 1;
            if *at < values.len() {
                return true;
            }
            self.wheels.pop();
        }
        false
    }
}

impl<'s, 'a> Ways<'s, 'a> {
    /// For the steps of an annotated program.
    pub fn new(
        program: &'s AnnotatedProgram<'a>,
        automaton: &'s Automaton,
        hints: &[u64],
    ) -> Ways<'s, 'a> {
        let conditions = automaton
            .guards()
            .filter_map(|guard| guard.condition.as_ref());
        let mentioned = conditions.flat_map(|condition| condition.constants());
        let mut all: Vec<u64> = hints.iter().copied().chain(mentioned).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        all.retain(|bits| seen.insert(*bits));
        Ways {
            program,
            automaton,
            inputs: statespace::Inputs::new(program.machine.xcfa),
            hints: all,
            untried: None,
        }
    }

    /// Takes a step in every way; `asked_for` are the best answers, if there are questions.
    pub fn all(
        &mut self,
        state: &State,
        position: &Position,
        action: (Tid, EdgeId),
        asked_for: &[u64],
    ) -> Vec<Way> {
        let (tid, edge) = action;
        let next = position.next(self.automaton);
        let here = next.filter(|guard| guard.edges.contains(edge.0 as usize));
        let results = here.filter_map(|guard| guard.condition.as_ref());
        let wanted = results.flat_map(|condition| condition.constants());
        let first: Vec<u64> = asked_for.iter().copied().chain(wanted).collect();
        let mut dial = Dial {
            program: self.program,
            inputs: &mut self.inputs,
            hints: &self.hints,
            first: &first,
            wheels: Vec::new(),
            asked: 0,
            returned: Vec::new(),
            accesses: Vec::new(),
            open: None,
        };
        let mut ways = Vec::new();
        loop {
            let mut after = state.clone();
            let outcome = self.program.machine.step(&mut after, tid, edge, &mut dial);
            let asked = dial.wheels[..dial.asked].iter();
            ways.push(Way {
                step: Step::new(
                    tid.0,
                    edge.0,
                    asked.map(|(values, at)| values[*at]).collect(),
                ),
                outcome,
                state: after,
                inputs: dial.returned.clone(),
                accesses: dial.accesses.clone(),
            });
            if ways.len() >= MOST_WAYS || !dial.turn() {
                break;
            }
        }
        let open = dial.open;
        self.note_untried(&ways, open, edge);
        ways
    }

    fn note_untried(&mut self, ways: &[Way], open: Option<Open>, edge: EdgeId) {
        let xcfa = self.program.machine.xcfa;
        let beyond = ways.iter().find_map(|way| match way.outcome {
            Outcome::Beyond(what) => Some(Reason::unsupported_on(xcfa, edge, what)),
            _ => None,
        });
        let open = open.map(|open| Reason::open(xcfa, open));
        let cut = (ways.len() >= MOST_WAYS).then_some(Reason::SomeExecutionsOnly);
        self.untried = self.untried.take().or(beyond).or(open).or(cut);
    }

    /// Why there may be executions that were not tried.
    pub fn untried(&self) -> Option<Reason> {
        let xcfa = self.program.machine.xcfa;
        let open = xcfa.foreign.clone().or_else(|| xcfa.unspecified.clone());
        let inputs = self.inputs.not_covered();
        let inputs = (!inputs.is_empty()).then_some(Reason::SomeInputsOnly(inputs));
        let known = self.untried.clone();
        known.or(inputs).or_else(|| open.map(Reason::unsupported))
    }
}
