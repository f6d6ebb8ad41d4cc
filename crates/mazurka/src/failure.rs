//! What ends a command without an answer, and the exit codes.

use crate::snippet;
use std::process::ExitCode;
use verdict::Refused;

/// Exit codes; a definite verdict has one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The property holds; also: the command did what it was asked.
    Safe = 0,
    /// The property is violated.
    Unsafe = 1,
    /// No verdict.
    Unknown = 2,
    /// The command line makes no sense.
    Usage = 64,
    /// The input is wrong or not supported.
    Refused = 65,
}

impl Exit {
    /// The exit code of two answers: a violation counts most, then what is not known.
    pub fn and(self, other: Exit) -> Exit {
        let rank = |exit| match exit {
            Exit::Safe => 0,
            Exit::Unknown => 1,
            Exit::Unsafe => 2,
            Exit::Refused => 3,
            Exit::Usage => 4,
        };
        std::cmp::max_by_key(self, other, |&exit| rank(exit))
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A message for the user and the exit code that goes with it.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// The whole message, with styles.
    pub message: String,
    /// The program that is not accepted, if that is the reason.
    pub refused: Option<Box<Refused>>,
}

impl Failure {
    /// The command line makes no sense.
    pub fn usage(what: impl AsRef<str>) -> Failure {
        Failure {
            exit: Exit::Usage,
            message: snippet::title(what.as_ref()),
            refused: None,
        }
    }

    /// The input cannot be used.
    pub fn refused(what: impl AsRef<str>) -> Failure {
        Failure {
            exit: Exit::Refused,
            message: snippet::title(what.as_ref()),
            refused: None,
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        let what = &refused.what;
        let message = match &refused.place {
            Some((sources, span)) => snippet::at(sources, *span, what),
            None => snippet::title(what),
        };
        Failure {
            exit: Exit::Refused,
            message: message + &refused.details,
            refused: Some(Box::new(refused)),
        }
    }
}
