//! What is heard from a child process that asks everybody about a program.

use process::{Ended, Fork};
use std::time::Instant;

/// What the compiled program is called among those who answer.
pub const COMPILED: &str = "compiled";

/// The answer of an engine whose counterexample the machine does not follow.
pub const NOT_REPLAYED: &str = "not replayed";

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// One says *safe*, one *unsafe*.
    Contradiction {
        /// Who says *safe*.
        safe: String,
        /// Who says *unsafe*.
        unsafe_: String,
    },
    /// Evidence that does not stand up.
    Evidence(String),
    /// A contestant crashed, hangs, or says itself that something is wrong with it.
    Failure(String),
}

/// What the contestants said.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// By contestant: `safe`, `unsafe` or `unknown`.
    pub given: Vec<(String, String)>,
    /// The front end does not accept the program.
    pub refused: bool,
    /// What is wrong, if anything.
    pub trouble: Option<Trouble>,
}

/// A contest under way.
pub struct Contest {
    fork: Fork,
    until: Instant,
    at_work: String,
    answers: Answers,
}

impl Contest {
    /// Of this child, which has so long.
    pub fn new(fork: Fork, until: Instant) -> Contest {
        Contest {
            fork,
            until,
            at_work: String::new(),
            answers: Answers::default(),
        }
    }

    /// Takes what has come; is it over?
    pub fn look(&mut self) -> bool {
        let ended = self.fork.has_ended();
        for line in self.fork.lines() {
            self.hear(&line);
        }
        ended || self.answers.trouble.is_some() || Instant::now() > self.until
    }

    fn hear(&mut self, line: &str) {
        let mut words = line.split('\t');
        let (kind, name) = (words.next(), words.next().unwrap_or("").to_owned());
        match kind {
            Some("begin") => self.at_work = name,
            Some("refused") => self.answers.refused = true,
            Some("said") => {
                let said = words.next().unwrap_or("unknown").to_owned();
                self.at_work.clear();
                self.answers.given.push((name, said));
                self.compare();
            }
            Some("evidence") => self.answers.trouble = Some(Trouble::Evidence(name)),
            Some("broken") => self.answers.trouble = Some(Trouble::Failure(name)),
            _ => {}
        }
    }

    fn compare(&mut self) {
        let who = |word: &str| {
            let mut given = self.answers.given.iter();
            given
                .find(|(_, said)| said == word)
                .map(|(name, _)| name.clone())
        };
        if let (Some(safe), Some(unsafe_)) = (who("safe"), who("unsafe")) {
            self.answers.trouble = Some(Trouble::Contradiction { safe, unsafe_ });
        }
    }

    /// The answers, with a crash or a hang as trouble.
    pub fn finish(self) -> Answers {
        let mut answers = self.answers;
        let late = Instant::now() > self.until;
        let (ended, _) = self.fork.kill(Ended::OutOfTime);
        if answers.trouble.is_none() && (late || ended != Ended::Exit(0)) {
            let how = match ended {
                Ended::Signal(signal) => format!("killed by signal {signal}"),
                Ended::Exit(status) => format!("ended with status {status}"),
                _ => "does not end".to_owned(),
            };
            answers.trouble = Some(Trouble::Failure(format!("{}: {how}", self.at_work)));
        }
        answers
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Contradiction { safe, unsafe_ } => {
                write!(f, "{safe} says safe, {unsafe_} says unsafe")
            }
            Trouble::Evidence(what) => write!(f, "evidence does not stand up: {what}"),
            Trouble::Failure(what) => write!(f, "{what}"),
        }
    }
}
