//! All ways in which one step can go, if there are few.

use semantics::{Access, Choice, Host, Machine, Open, Outcome, State, Tid};
use xcfa::EdgeId;

/// What a step does under some answers to its questions.
pub struct Way {
    pub outcome: Outcome,
    pub state: State,
    pub accesses: Vec<Access>,
    /// What C leaves open and the machine has decided.
    pub open: Option<Open>,
}

/// Answers by the digits of a counter whose places have different bases.
#[derive(Default)]
struct Counter {
    digits: Vec<u64>,
    bases: Vec<u64>,
    at: usize,
    /// Was there a question with too many answers?
    too_many: bool,
    accesses: Vec<Access>,
    open: Option<Open>,
}

impl Host for Counter {
    const OBSERVES: bool = true;

    fn open(&mut self, open: Open) {
        self.open = Some(open);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let base = match choice {
            Choice::Waiter(count) | Choice::Address(count) => count as u64,
            Choice::Value(expr::Sort::Bool, _) => 2,
            Choice::Value(..) => {
                self.too_many = true;
                1
            }
        };
        if self.at == self.digits.len() {
            self.digits.push(0);
            self.bases.push(base);
        }
        self.bases[self.at] = base;
        self.at += 1;
        self.digits[self.at - 1]
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }
}

/// Takes an edge in every way; nothing if an input has more than two values.
pub fn ways(machine: &Machine<'_>, state: &State, tid: Tid, edge: EdgeId) -> Option<Vec<Way>> {
    let mut all = Vec::new();
    let mut counter = Counter::default();
    loop {
        let mut next = state.clone();
        let outcome = machine.step(&mut next, tid, edge, &mut counter);
        if counter.too_many {
            return None;
        }
        all.push(Way {
            outcome,
            state: next,
            accesses: std::mem::take(&mut counter.accesses),
            open: counter.open.take(),
        });
        let asked = std::mem::take(&mut counter.at);
        counter.digits.truncate(asked);
        counter.bases.truncate(asked);
        // The next number: the last place that can still count up.
        loop {
            let Some(digit) = counter.digits.last_mut() else {
                return Some(all);
            };
            *digit += 1;
            if *digit < counter.bases[counter.digits.len() - 1] {
                break;
            }
            counter.digits.pop();
            counter.bases.pop();
        }
    }
}
