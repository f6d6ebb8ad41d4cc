//! The messages of a child process that runs all participants on a program.

use crate::message::{Message, Who, Word};
use process::{Ended, Fork};
use std::time::{Duration, Instant};

/// How many times the limit may pass while a contest waits for a processor.
const MOST_WAITING: u32 = 20;

/// The signal by which a group of processes is asked to end; no engine sends it.
const ASKED_TO_END: i32 = 15;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// One says *safe*, one *unsafe*.
    Contradiction {
        /// The engine that says *safe*.
        safe: Who,
        /// The engine that says *unsafe*.
        unsafe_: Who,
    },
    /// Evidence of this one is rejected.
    Evidence(Who, String),
    /// This one crashed, hangs, or says itself that something is wrong with it.
    Failure(Who, String),
}

/// What the contestants said.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// By contestant.
    pub given: Vec<(Who, Word)>,
    /// The front end does not accept the program.
    pub refused: bool,
    /// Why not, if it says so.
    pub why: Option<String>,
    /// What is wrong, if anything.
    pub trouble: Option<Trouble>,
    /// It was asked to end from outside: it says nothing.
    pub stopped: bool,
}

/// A contest under way.
pub struct Contest {
    fork: Fork,
    started: Instant,
    limit: Duration,
    at_work: Who,
    answers: Answers,
}

impl Contest {
    /// Of this child, whose CPU time is limited to this; the machine may be busy with others.
    pub fn new(fork: Fork, limit: Duration) -> Contest {
        Contest {
            fork,
            started: Instant::now(),
            limit,
            at_work: Who::default(),
            answers: Answers::default(),
        }
    }

    /// Takes what has come; is it over?
    pub fn poll(&mut self) -> bool {
        let ended = self.fork.has_ended();
        for line in self.fork.lines() {
            self.hear(&line);
        }
        ended || self.answers.trouble.is_some() || self.is_late()
    }

    fn is_late(&self) -> bool {
        let elapsed = self.started.elapsed();
        elapsed > self.limit
            && (self.fork.processor_time() > self.limit || elapsed > self.limit * MOST_WAITING)
    }

    fn hear(&mut self, line: &str) {
        let Ok(message) = serde_json::from_str(line) else {
            let what = format!("garbled answer: {line}");
            self.answers.trouble = Some(Trouble::Failure(self.at_work.clone(), what));
            return;
        };
        match message {
            Message::Begin(who) => self.at_work = who,
            Message::Refused(why) => {
                self.answers.refused = true;
                self.answers.why = why;
            }
            Message::Said(who, word) => {
                self.at_work = Who::default();
                self.answers.given.push((who, word));
                self.compare();
            }
            Message::Evidence(who, why) => self.answers.trouble = Some(Trouble::Evidence(who, why)),
            Message::Broken(who, how) => self.answers.trouble = Some(Trouble::Failure(who, how)),
            Message::Skipped => {}
        }
    }

    fn compare(&mut self) {
        let who = |word: Word| {
            let mut given = self.answers.given.iter();
            let found = given.find(|(_, said)| *said == word);
            found.map(|(who, _)| who.clone())
        };
        if let (Some(safe), Some(unsafe_)) = (who(Word::Safe), who(Word::Unsafe)) {
            self.answers.trouble = Some(Trouble::Contradiction { safe, unsafe_ });
        }
    }

    /// The answers, with a crash or a hang as trouble.
    pub fn finish(self) -> Answers {
        let late = self.is_late();
        let mut answers = self.answers;
        let (ended, _) = self.fork.kill(Ended::OutOfTime);
        if ended == Ended::Signal(ASKED_TO_END) {
            answers.trouble = None;
            answers.stopped = true;
            return answers;
        }
        if answers.trouble.is_none() && (late || ended != Ended::Exit(0)) {
            let how = match ended {
                Ended::Signal(signal) => format!("killed by signal {signal}"),
                Ended::Exit(status) => format!("ended with status {status}"),
                _ => "does not end".to_owned(),
            };
            answers.trouble = Some(Trouble::Failure(self.at_work, how));
        }
        answers
    }
}

impl Trouble {
    /// Is it of the same kind, with the same engines on the same sides?
    pub fn is_like(&self, other: &Trouble) -> bool {
        let names = |trouble: &Trouble| match trouble {
            Trouble::Contradiction { safe, unsafe_ } => {
                Some((safe.name.clone(), unsafe_.name.clone()))
            }
            Trouble::Evidence(..) | Trouble::Failure(..) => None,
        };
        let kind = std::mem::discriminant::<Trouble>;
        kind(self) == kind(other) && names(self) == names(other)
    }

    /// Does this one take part in it?
    pub fn concerns(&self, who: &Who) -> bool {
        match self {
            Trouble::Contradiction { safe, unsafe_ } => who == safe || who == unsafe_,
            Trouble::Evidence(one, _) | Trouble::Failure(one, _) => who == one,
        }
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Contradiction { safe, unsafe_ } => {
                write!(f, "{safe} says safe, {unsafe_} says unsafe")
            }
            Trouble::Evidence(who, why) => {
                write!(f, "evidence does not stand up: {who}: {why}")
            }
            Trouble::Failure(who, how) => write!(f, "{who}: {how}"),
        }
    }
}
