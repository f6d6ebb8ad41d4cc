//! A host that watches one step.

use semantics::{Access, Choice, Host, Open, Seen, Tid};
use xcfa::HavocOrigin;

/// A value from outside that a step asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// Are 0 and 1 all that it may be?
    pub is_bit: bool,
}

/// Answers from a list, and remembers what a step accesses and asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    answers: Vec<u64>,
    /// The first question beyond the answers.
    pub question: Option<Question>,
    /// All that was answered, for a script that repeats the step.
    pub choices: Vec<u64>,
    /// The values from outside among them.
    inputs: Vec<u64>,
    /// What was accessed, in order.
    pub accesses: Vec<Access>,
    /// The thread whose end the step waits for.
    pub joins: Option<Tid>,
    /// Was an arbitrary value of some variable asked for that nothing sets before it is used?
    pub uninitialised: bool,
    /// Does it depend on where objects are?
    pub open: bool,
}

impl Probe {
    /// With these values from outside.
    pub fn new(answers: &[u64]) -> Probe {
        Probe {
            answers: answers.to_vec(),
            ..Probe::default()
        }
    }

    /// What was seen of the step, which starts this thread if it starts one.
    pub fn seen(&self, started: u32) -> Seen<'_> {
        Seen {
            accesses: &self.accesses,
            joined: self.joins,
            inputs: &self.inputs,
            started,
        }
    }

    fn answer(&mut self, choice: Choice<'_>) -> u64 {
        let (sort, origin) = match choice {
            Choice::Value(_, HavocOrigin::Uninitialised) => {
                self.uninitialised = true;
                return 0;
            }
            Choice::Value(sort, origin) => (sort, origin),
            // A fresh address is as good as that of an object that is gone.
            Choice::Address(_) | Choice::Waiter(_) => return 0,
        };
        match self.answers.get(self.inputs.len()) {
            Some(&answer) => {
                self.inputs.push(answer & sort.mask());
                answer & sort.mask()
            }
            None => {
                let is_bit = sort.mask() == 1 || *origin == HavocOrigin::WeakFailure;
                self.question.get_or_insert(Question { is_bit });
                0
            }
        }
    }
}

impl Host for Probe {
    const OBSERVES: bool = true;

    fn open(&mut self, _: Open) {
        self.open = true;
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = self.answer(choice);
        self.choices.push(answer);
        answer
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn joins(&mut self, thread: Tid) {
        self.joins = Some(thread);
    }
}
