//! The outcome of checking a claim.

use crate::Reason;
use std::fmt;

/// The outcome of checking a claim by its evidence.
///
/// Law: `Accepted` means that the claim was established again, from the program and the evidence
/// alone; `Rejected`, that the evidence does not show what it claims, and no further check can change that;
/// `Undecided`, that it is not known: there was no time, no memory, or no answer of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// The claim was established again.
    Accepted,
    /// The evidence is wrong, for this reason.
    Rejected(String),
    /// The check did not finish, for this reason.
    Undecided(Reason),
}

/// Why a part of a checker does not accept a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// The evidence is wrong.
    Wrong(String),
    /// The check did not finish.
    Open(Reason),
}

impl From<Result<(), Objection>> for Check {
    fn from(result: Result<(), Objection>) -> Check {
        match result {
            Ok(()) => Check::Accepted,
            Err(Objection::Wrong(why)) => Check::Rejected(why),
            Err(Objection::Open(reason)) => Check::Undecided(reason),
        }
    }
}

impl From<String> for Objection {
    fn from(why: String) -> Objection {
        Objection::Wrong(why)
    }
}

impl From<&str> for Objection {
    fn from(why: &str) -> Objection {
        Objection::Wrong(why.to_owned())
    }
}

impl From<Reason> for Objection {
    fn from(reason: Reason) -> Objection {
        Objection::Open(reason)
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objection::Wrong(why) => write!(f, "{why}"),
            Objection::Open(reason) => write!(f, "{reason}"),
        }
    }
}
