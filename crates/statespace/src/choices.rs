//! All ways in which one step can go: every answer to every question that it asks.

use crate::inputs::Inputs;
use crate::scratch::Scratch;
use semantics::{Access, Choice, Host, Machine, Open, Outcome, State, Tid};
use xcfa::EdgeId;

/// Answers the questions of one step; `next` moves on to the following combination.
pub(crate) struct Odometer<'i> {
    inputs: &'i mut Inputs,
    /// By question: the answers to try, and which one it is now.
    wheels: Vec<(Vec<u64>, usize)>,
    asked: usize,
    /// What was open in the present combination.
    pub open: Option<Open>,
}

impl<'i> Odometer<'i> {
    pub fn new(inputs: &'i mut Inputs) -> Odometer<'i> {
        Odometer {
            inputs,
            wheels: Vec::new(),
            asked: 0,
            open: None,
        }
    }

    /// The combination after this one, if there is one.
    pub fn next(&mut self) -> bool {
        self.wheels.truncate(self.asked);
        self.asked = 0;
        self.open = None;
        while let Some((values, at)) = self.wheels.last_mut() {
            *at += 1;
            if *at < values.len() {
                return true;
            }
            self.wheels.pop();
        }
        false
    }

    pub fn answers(&self) -> Vec<u64> {
        self.wheels[..self.asked]
            .iter()
            .map(|(values, at)| values[*at])
            .collect()
    }

    pub fn answer(&mut self, choice: Choice<'_>) -> u64 {
        if self.asked == self.wheels.len() {
            let values = self.inputs.values(choice).to_vec();
            self.wheels.push((values, 0));
        }
        let (values, at) = &self.wheels[self.asked];
        self.asked += 1;
        values[*at]
    }
}

impl Host for Odometer<'_> {
    fn open(&mut self, open: Open) {
        self.open = Some(open);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        self.answer(choice)
    }
}

/// As an odometer, and remembers accesses.
struct Observer<'i> {
    odometer: Odometer<'i>,
    accesses: Vec<Access>,
}

impl Host for Observer<'_> {
    const OBSERVES: bool = true;

    /// Here accesses are only observed; the host that takes the step is told what is open.
    fn open(&mut self, _: Open) {}

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        self.odometer.answer(choice)
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }
}

/// One way in which a step went.
pub struct Way<'s> {
    /// What came of it.
    pub outcome: Outcome,
    /// The state afterwards, if it moved.
    pub state: &'s State,
    /// The answers that made it go this way.
    pub answers: Vec<u64>,
    /// What C leaves open and the machine has decided.
    pub open: Option<Open>,
}

/// Takes an edge in every way from `state`, for which `scratch` was prepared; `visit` may stop it.
pub fn for_each_way<T>(
    machine: &Machine<'_>,
    inputs: &mut Inputs,
    state: &State,
    scratch: &mut Scratch,
    (tid, edge): (Tid, EdgeId),
    mut visit: impl FnMut(Way<'_>) -> Option<T>,
) -> Option<T> {
    let mut odometer = Odometer::new(inputs);
    loop {
        let result = scratch.for_step(state, tid, edge);
        let outcome = machine.step(result, tid, edge, &mut odometer);
        let answers = odometer.answers();
        if let Some(found) = visit(Way {
            outcome,
            state: result,
            answers,
            open: odometer.open,
        }) {
            return Some(found);
        }
        if !odometer.next() {
            return None;
        }
    }
}

/// The accesses that an edge can make from `state`, with the answers that lead to them.
pub fn accesses(
    machine: &Machine<'_>,
    inputs: &mut Inputs,
    state: &State,
    scratch: &mut Scratch,
    (tid, edge): (Tid, EdgeId),
) -> Vec<(Vec<u64>, Vec<Access>)> {
    let mut observer = Observer {
        odometer: Odometer::new(inputs),
        accesses: Vec::new(),
    };
    let mut all = Vec::new();
    loop {
        let result = scratch.for_step(state, tid, edge);
        let outcome = machine.step(result, tid, edge, &mut observer);
        let accesses = std::mem::take(&mut observer.accesses);
        if let Outcome::Moved { .. } = outcome {
            all.push((observer.odometer.answers(), accesses));
        }
        if !observer.odometer.next() {
            return all;
        }
    }
}
