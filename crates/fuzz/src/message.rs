//! What is said about a program, and how it gets from one process to another.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::Write;

/// A contestant that says something about a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    /// An engine, or another participant.
    pub name: String,
    /// Its settings, as the command line spells them.
    pub settings: Vec<String>,
}

/// What one participant says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Word {
    /// No execution violates the property.
    Safe,
    /// One does.
    Unsafe,
    /// Nothing definite.
    Unknown,
    /// There is a counterexample that the machine does not follow.
    NotReplayed,
}

/// One line from the child process that runs all participants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// Now this one works.
    Begin(Who),
    /// It has an answer.
    Said(Who, Word),
    /// The front end does not accept the program, for this reason if it says one.
    Refused(Option<String>),
    /// Its evidence is rejected.
    Evidence(Who, String),
    /// It crashed, or says itself that something is wrong with it.
    Broken(Who, String),
    /// Nothing more is to be learnt.
    Skipped,
}

impl Who {
    /// A contestant without settings.
    pub fn named(name: &str) -> Who {
        Who {
            name: name.to_owned(),
            settings: Vec::new(),
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        let mut settings = self.settings.iter();
        settings.try_for_each(|setting| write!(f, " {setting}"))
    }
}

impl Word {
    /// *Safe* or *unsafe*.
    pub fn of(safe: bool) -> Word {
        if safe { Word::Safe } else { Word::Unsafe }
    }

    /// Is it an answer?
    pub fn is_definite(self) -> bool {
        matches!(self, Word::Safe | Word::Unsafe)
    }
}

impl Message {
    /// Sends it; a closed pipe is no error.
    pub fn send(&self, pipe: &mut impl Write) {
        if let Ok(mut line) = serde_json::to_vec(self) {
            line.push(b'\n');
            let _ = pipe.write_all(&line);
        }
    }
}
