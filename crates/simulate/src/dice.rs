//! Answers of the environment at random.

use semantics::{Access, Choice, Host, Open, Seen, Tid};
use statespace::{Inputs, Random};
use xcfa::HavocOrigin;

/// How the environment behaves during a run: most runs in which everything fails that may fail end early.
#[derive(Clone, Copy, Debug)]
pub struct Mood {
    /// Of 64 answers to yes or no, so many are yes.
    yes: usize,
    /// Of 64 numbers, so many are arbitrary; the others are those that the program compares with.
    wild: usize,
    /// Of 64 times that a thread waits for a signal, it wakes up so often without one.
    pub restless: usize,
}

impl Mood {
    /// Everything goes as it usually does.
    pub const CALM: Mood = Mood {
        yes: 0,
        wild: 0,
        restless: 0,
    };

    /// Any one.
    pub fn any(random: &mut Random) -> Mood {
        Mood {
            yes: [32, 32, 8, 1][random.below(4)],
            wild: [16, 16, 4, 48][random.below(4)],
            restless: [0, 0, 4, 24][random.below(4)],
        }
    }
}

/// Answers questions at random, and remembers what it sees of a step.
pub struct Dice<'r> {
    pub random: &'r mut Random,
    pub inputs: &'r mut Inputs,
    pub mood: Mood,
    pub sight: &'r mut Sight,
}

/// What was seen of a step.
#[derive(Default)]
pub struct Sight {
    /// The answers that were given.
    pub answers: Vec<u64>,
    /// What was accessed.
    pub accesses: Vec<Access>,
    /// The thread whose end the step waits for.
    pub joins: Option<Tid>,
}

impl Sight {
    pub fn forget(&mut self) {
        self.answers.clear();
        self.accesses.clear();
        self.joins = None;
    }

    /// For the clocks; so many threads had been started before.
    pub fn seen(&self, started: usize) -> Seen<'_> {
        Seen {
            accesses: &self.accesses,
            joined: self.joins,
            inputs: &[],
            started: started as u32,
        }
    }
}

impl Host for Dice<'_> {
    const OBSERVES: bool = true;

    /// Runs prove nothing anyway.
    fn open(&mut self, _: Open) {}

    fn access(&mut self, access: Access) {
        self.sight.accesses.push(access);
    }

    fn joins(&mut self, thread: Tid) {
        self.sight.joins = Some(thread);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = self.answer(choice);
        self.sight.answers.push(answer);
        answer
    }
}

impl Dice<'_> {
    fn answer(&mut self, choice: Choice<'_>) -> u64 {
        let rarely = |random: &mut Random, of_64| random.below(64) < of_64;
        let values = self.inputs.values(choice);
        match choice {
            Choice::Waiter(_) => values[self.random.below(values.len())],
            Choice::Address(_) if rarely(self.random, 32) => 0,
            Choice::Address(_) => values[self.random.below(values.len())],
            // A compare-exchange that fails for no reason is the environment's doing, too.
            Choice::Value(_, HavocOrigin::WeakFailure) => {
                u64::from(rarely(self.random, self.mood.restless))
            }
            Choice::Value(sort, _) if sort.mask() == 1 => {
                u64::from(rarely(self.random, self.mood.yes))
            }
            Choice::Value(sort, _) if rarely(self.random, self.mood.wild) => {
                self.random.bits() & sort.mask()
            }
            Choice::Value(..) => values[self.random.below(values.len())],
        }
    }
}
