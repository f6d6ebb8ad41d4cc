//! Where a machine gets what the state does not determine.

use crate::{Access, Open, Seen, Tid};
use expr::Sort;
use xcfa::HavocOrigin;

/// A question to the environment.
#[derive(Clone, Copy, Debug)]
pub enum Choice<'a> {
    /// A value of this sort: an input, or something uninitialised.
    Value(Sort, &'a HavocOrigin),
    /// Which one of this many waiting threads a signal wakes (0 is the first).
    Waiter(usize),
    /// Which one of this many addresses a new object gets, where that is open (0 is the one that it
    /// always gets elsewhere).
    Address(usize),
}

/// The environment of a running program.
pub trait Host {
    /// Does this host want to receive accesses? Reporting them costs time.
    const OBSERVES: bool = false;

    /// Receives the next label of the edge: the questions that follow are about it.
    fn label(&mut self, _index: usize) {}

    /// Receives what C leaves open and the machine decides. The execution goes on, for the machine's
    /// layout of memory is a possible one; but others are possible as well, so whoever has seen all
    /// executions of the machine has not seen all of the program.
    fn open(&mut self, open: Open);

    /// Answers a question; a value is cut to its sort, a waiter or address must exist.
    fn choose(&mut self, choice: Choice<'_>) -> u64;

    /// Receives an access to shared memory, before it happens.
    fn access(&mut self, _access: Access) {}

    /// Receives the thread whose end a step waits for, before it is known whether that thread has ended, or
    /// exists.
    fn joins(&mut self, _thread: Tid) {}
}

/// Answers from a list, and remembers the accesses.
#[derive(Clone, Debug, Default)]
pub struct Script {
    answers: Vec<u64>,
    next: usize,
    /// Was there a question without an answer?
    pub exhausted: bool,
    /// What was accessed, in order.
    pub accesses: Vec<Access>,
    /// What was open last.
    pub open: Option<Open>,
    /// The thread whose end the step waits for.
    pub joined: Option<Tid>,
    /// The values that came from outside, in order.
    pub inputs: Vec<u64>,
}

impl Script {
    /// A host that gives these answers in order, and 0 after them.
    pub fn new(answers: &[u64]) -> Script {
        Script {
            answers: answers.to_vec(),
            ..Script::default()
        }
    }

    /// What it has seen of a step before which so many threads had been started.
    pub fn seen(&self, started: u32) -> Seen<'_> {
        Seen {
            accesses: &self.accesses,
            joined: self.joined,
            inputs: &self.inputs,
            started,
        }
    }

    /// Were more answers given than there were questions?
    pub fn has_rest(&self) -> bool {
        self.next < self.answers.len()
    }
}

impl Host for Script {
    const OBSERVES: bool = true;

    fn open(&mut self, open: Open) {
        self.open = Some(open);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = self.answers.get(self.next).copied();
        self.next += 1;
        self.exhausted |= answer.is_none();
        let answer = answer.unwrap_or(0);
        match choice {
            Choice::Value(_, HavocOrigin::Uninitialised) => answer,
            Choice::Value(sort, _) => {
                self.inputs.push(answer & sort.mask());
                answer
            }
            // A script from a file may say anything; a thread that does not wait is not woken.
            Choice::Waiter(count) | Choice::Address(count) => answer.min(count as u64 - 1),
        }
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn joins(&mut self, thread: Tid) {
        self.joined = Some(thread);
    }
}
